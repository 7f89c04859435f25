import type { Router } from "@koa/router";
import { discardJobs, retryJobs } from "@tapthru/proto/http/operator/system";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { JobAdmin } from "@tapthru/runtime/jobs/admin";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";

export interface QueueRoutesDependencies {
  db: Db<"query">;
  jobAdmin: Pick<JobAdmin, "retry" | "drop">;
  operator: Guard<Caller>;
}

export function queueRoutes(router: Router, { db, jobAdmin, operator }: QueueRoutesDependencies) {
  mount(router, retryJobs, operator, async (_ctx, { params: { job }, body: { id } }) => {
    await record("jobs.retried", job, id);
    return { status: 200, body: { count: await jobAdmin.retry(job, id) } };
  });

  mount(router, discardJobs, operator, async (_ctx, { params: { job }, body: { id } }) => {
    await record("jobs.discarded", job, id);
    return { status: 200, body: { count: await jobAdmin.drop(job, id) } };
  });

  async function record(action: string, job: string, id = "all"): Promise<void> {
    if (!Object.hasOwn(JOBS, job)) throw new ApiError("not-found");
    await recordAction(db, { action, objectId: job, object: job, ownerId: null, after: { id } });
  }
}
