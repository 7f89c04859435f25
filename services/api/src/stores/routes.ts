import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/stores";
import { deleteDefaultTag, saveDefaultTag } from "../channels/channels.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import * as queries from "./queries.ts";

export interface StoreRoutesDependencies {
  db: Db<"any" | "query" | "transaction">;
  logger: Logger;
}

export function storeRoutes(router: ApiRouter, deps: StoreRoutesDependencies) {
  const { db } = deps;

  mount(router, calls.listStoreTags, async (_ctx, { caller }) => {
    return { status: 200, body: await queries.findStoreTags(deps, caller.userId) };
  });

  mount(router, calls.saveStoreTag, async (_ctx, { caller, body }) => {
    await saveDefaultTag(db, caller.userId, body);
    return { status: 200, body };
  });

  mount(router, calls.deleteStoreTag, async (_ctx, { caller, params }) => {
    await deleteDefaultTag(db, caller.userId, params.marketplace);
    return { status: 200, body: params };
  });

  mount(router, calls.listOneLinkStores, async (_ctx, { caller }) => {
    return { status: 200, body: await queries.findOneLinkStores(deps, caller.userId) };
  });

  mount(router, calls.saveOneLinkStore, async (_ctx, { caller, body }) => {
    const save = body.served ? queries.insertOneLinkStore : queries.removeOneLinkStore;
    await save(db, caller.userId, body.marketplace);
    return { status: 200, body };
  });
}
