import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/tag-pool";
import { POOL_TAGS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { Logger } from "@tapthru/runtime/logger";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { lockUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { countPoolTags, findPoolTags, insertPoolTags, removePoolTag } from "./queries.ts";

export interface TagPoolRoutesDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  logger: Logger;
  readLinks: Guard<Pick<Caller, "userId">>;
  writeLinks: Guard<Pick<Caller, "userId">>;
}

export function tagPoolRoutes(router: Router, deps: TagPoolRoutesDependencies) {
  const { db, readLinks, writeLinks } = deps;

  mount(router, calls.listPoolTags, readLinks, async (_ctx, { caller }) => ({
    status: 200,
    body: await findPoolTags(deps, caller.userId),
  }));

  mount(router, calls.addPoolTags, writeLinks, async (_ctx, { caller: { userId }, body }) => {
    const addedCount = await db.transaction(async (transaction) => {
      if (!(await lockUser(transaction, userId))) throw new ApiError("login-required");
      const count = await insertPoolTags(transaction, { userId, ...body });
      if ((await countPoolTags(transaction, userId)) > POOL_TAGS_MAX_COUNT) {
        throw new ApiError("too-many-pool-tags");
      }
      return count;
    });
    return { status: 200, body: { addedCount } };
  });

  mount(router, calls.deletePoolTag, writeLinks, async (_ctx, { caller, params: { id } }) => {
    const found = await removePoolTag(db, { userId: caller.userId, id });
    if (found === null) throw new ApiError("pool-tag-not-found");
    if (found.isUsed) throw new ApiError("pool-tag-used");
    return { status: 200, body: { id } };
  });
}
