import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/keys";
import type { SendNotice } from "../accounts/notices.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { addKey, keyReply } from "./keys.ts";
import { deleteKey, findKeys } from "./queries.ts";

export interface KeyRoutesDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  sendNotice: SendNotice;
}

/** None of these calls accepts a key: a leaked key must not be able to create another one. */
export function keyRoutes(router: ApiRouter, deps: KeyRoutesDependencies) {
  const { db } = deps;

  mount(router, calls.createKey, async (_ctx, { caller, body }) => {
    const { key, row } = await addKey(db, caller, body);
    await deps.sendNotice(caller.firebaseUid, "key-created");
    return { status: 201, body: { ...keyReply(row), key } };
  });

  mount(router, calls.listKeys, async (_ctx, { caller }) => {
    const keys = await findKeys(db, caller.userId);
    return { status: 200, body: keys.map(keyReply) };
  });

  mount(router, calls.revokeKey, async (_ctx, { caller, params }) => {
    const wasDeleted = await deleteKey(db, { userId: caller.userId, ...params });
    if (!wasDeleted) throw new ApiError("not-found");
    return { status: 200, body: {} };
  });
}
