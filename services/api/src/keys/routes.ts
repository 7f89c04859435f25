import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/keys";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import type { SendNotice } from "../accounts/notices.ts";
import { ApiError } from "../errors.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { addKey, keyReply } from "./keys.ts";
import { deleteKey, findKeys } from "./queries.ts";

export interface KeyRoutesDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  sendNotice: SendNotice;
  requiredSession: Guard<LiveSession>;
  /** Counts by a stricter limit. */
  requiredSessionToCreate: Guard<LiveSession>;
}

/** None of these calls accepts a key: a leaked key must not be able to create another one. */
export function keyRoutes(router: Router, deps: KeyRoutesDependencies) {
  const { db, requiredSession, requiredSessionToCreate } = deps;

  mount(router, calls.createKey, requiredSessionToCreate, async (_ctx, { caller, body }) => {
    const { key, row } = await addKey(db, caller, body);
    await deps.sendNotice(caller.firebaseUid, "key-created");
    return { status: 201, body: { ...keyReply(row), key } };
  });

  mount(router, calls.listKeys, requiredSession, async (_ctx, { caller }) => {
    const keys = await findKeys(db, caller.userId);
    return { status: 200, body: keys.map(keyReply) };
  });

  mount(router, calls.revokeKey, requiredSession, async (_ctx, { caller, params }) => {
    const wasDeleted = await deleteKey(db, { userId: caller.userId, ...params });
    if (!wasDeleted) throw new ApiError("not-found");
    return { status: 200, body: {} };
  });
}
