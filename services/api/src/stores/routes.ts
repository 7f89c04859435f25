import type { Router } from "@koa/router";
import { listStoreTags, saveStoreTag } from "@tapthru/proto/http/stores";
import type { CommonQueryMethods } from "slonik";
import { type Guard, mount } from "../http/mount.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { findStoreTags, upsertStoreTag } from "./queries.ts";

export interface StoreRoutesDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  requiredSession: Guard<LiveSession>;
}

export function storeRoutes(router: Router, { db, requiredSession }: StoreRoutesDependencies) {
  mount(router, listStoreTags, requiredSession, async (_ctx, { caller }) => {
    return { status: 200, body: [...(await findStoreTags(db, caller.userId))] };
  });

  mount(router, saveStoreTag, requiredSession, async (_ctx, { caller, body }) => {
    await upsertStoreTag(db, caller.userId, body);
    return { status: 200, body };
  });
}
