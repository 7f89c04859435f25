import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { Projection } from "../rebuild-redirects/projection.ts";

interface Dependencies {
  projection: Pick<Projection, "isLost">;
  jobs: JobProducer<typeof JOBS>;
}

export async function checkRedirects({ projection, jobs }: Dependencies): Promise<void> {
  await bestEffort(queueRebuild());

  async function queueRebuild(): Promise<void> {
    if (!(await projection.isLost())) return;
    await jobs.add("rebuild-redirects", { afterId: 0 }, { requestId: null });
  }
}
