import type { Router } from "@koa/router";
import { listAllActivity } from "@tapthru/proto/http/operator/activity";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { activityReply, OPERATOR_COLUMNS } from "../activity/activity-reply.ts";
import { findAllActivity } from "../activity/queries.ts";
import { type Guard, mount } from "../http/mount.ts";

export interface OperatorActivityDependencies {
  db: Db<"any">;
  operator: Guard<{ userId: number }>;
}

export function operatorActivityRoutes(
  router: Router,
  { db, operator }: OperatorActivityDependencies,
) {
  mount(router, listAllActivity, operator, async (ctx, { query: { before, ...filter } }) =>
    activityReply(ctx, (page) => findAllActivity(db, filter, page), before, OPERATOR_COLUMNS),
  );
}
