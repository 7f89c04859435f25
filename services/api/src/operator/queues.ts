import { recordAction } from "@tapthru/core/platform/audit-log";
import type { JobAdmin } from "@tapthru/core/platform/jobs/admin";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { discardJobs, retryJobs } from "@tapthru/proto/http/operator/system";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";

export interface QueueRoutesDependencies {
  db: Db<"query">;
  jobAdmin: Pick<JobAdmin, "retry" | "drop">;
}

export function queueRoutes(router: ApiRouter, { db, jobAdmin }: QueueRoutesDependencies) {
  mount(router, retryJobs, async (_ctx, { params: { job }, body: { id } }) => ({
    status: 200,
    body: { count: await change("jobs.retried", job, id, jobAdmin.retry) },
  }));

  mount(router, discardJobs, async (_ctx, { params: { job }, body: { id } }) => ({
    status: 200,
    body: { count: await change("jobs.discarded", job, id, jobAdmin.drop) },
  }));

  /** Recorded before it is changed: jobs are not in Postgres. */
  async function change(
    action: string,
    job: string,
    id: string | undefined,
    work: JobAdmin["retry"],
  ): Promise<number> {
    if (!Object.hasOwn(JOBS, job)) throw new ApiError("not-found");
    const after = { id: id ?? "all" };
    await recordAction(db, { action, objectId: job, object: job, ownerId: null, after });
    return work(job, id);
  }
}
