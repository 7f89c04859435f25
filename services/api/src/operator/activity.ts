import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { listAllActivity } from "@tapthru/proto/http/operator/activity";
import { activityReply, OPERATOR_COLUMNS } from "../activity/activity-reply.ts";
import { findAllActivity } from "../activity/queries.ts";
import { type ApiRouter, mount } from "../http/mount.ts";

export interface OperatorActivityDependencies {
  db: Db<"any">;
}

export function operatorActivityRoutes(router: ApiRouter, { db }: OperatorActivityDependencies) {
  mount(router, listAllActivity, async (ctx, { query: { before, ...filter } }) =>
    activityReply(ctx, (page) => findAllActivity(db, filter, page), before, OPERATOR_COLUMNS),
  );
}
