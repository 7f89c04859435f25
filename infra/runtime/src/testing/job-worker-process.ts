/** A worker for workers.test.ts that starts a job and never completes it. */
import { createJobWorkers } from "../jobs/workers.ts";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { greet } from "./test-jobs.ts";

const [redisUrl = ""] = process.argv.slice(2);
const workers = createJobWorkers({
  jobs: { greet },
  handlers: {
    async greet() {
      process.stdout.write("begun\n");
      await new Promise(() => {});
    },
  },
  redisUrl,
  registry: createMetrics(),
  logger: createLogger({ service: "test", level: "fatal" }),
});
await workers.start?.();
