import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { App } from "../app.ts";

export async function checkRedirects({ projection, jobs }: Pick<App, "projection" | "jobs">): Promise<void> {
  await bestEffort(queueRebuild());

  async function queueRebuild(): Promise<void> {
    if (!(await projection.isLost())) return;
    await jobs.add("rebuild-redirects", { afterId: 0 }, { requestId: null });
  }
}
