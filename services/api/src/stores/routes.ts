import type { Router } from "@koa/router";
import { listStoreTags, saveStoreTag } from "@tapthru/proto/http/stores";
import type { CommonQueryMethods } from "slonik";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { findStoreTags, upsertStoreTag } from "./queries.ts";

export interface StoreRoutesDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  readLinks: Guard<Pick<Caller, "userId">>;
  writeLinks: Guard<Pick<Caller, "userId">>;
}

export function storeRoutes(
  router: Router,
  { db, readLinks, writeLinks }: StoreRoutesDependencies,
) {
  mount(router, listStoreTags, readLinks, async (_ctx, { caller }) => {
    return { status: 200, body: [...(await findStoreTags(db, caller.userId))] };
  });

  mount(router, saveStoreTag, writeLinks, async (_ctx, { caller, body }) => {
    await upsertStoreTag(db, caller.userId, body);
    return { status: 200, body };
  });
}
