import { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobCatalogue } from "@tapthru/proto/jobs/definition";
import { createJobAdmin } from "@tapthru/runtime/jobs/admin";
import { createJobProducer } from "@tapthru/runtime/jobs/producer";
import { createLogger } from "@tapthru/runtime/logger";
import { createRequestRedis, RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import * as z from "zod/mini";
import { readSettings } from "../stack/settings.ts";
import { printError, UserFacingError } from "../user-facing-error.ts";

const USAGE = `Usage:
  pnpm jobs list
  pnpm jobs retry [<job> [<id>]]    queues failed jobs again: all, those of one name, or one
  pnpm jobs drop [<job> [<id>]]     deletes failed jobs
  pnpm jobs run <job> [<payload>]   queues a job, such as: pnpm jobs run rebuild-redirects`;

const catalogue: JobCatalogue = JOBS;
const url =
  process.env.REDIS_QUEUE_URL ?? `redis://127.0.0.1:${readSettings(process.env).ports.REDIS_PORT}`;
const logger = createLogger({ service: "jobs", level: "error" });
const redis = createRequestRedis({ url, name: "queue", budgetMs: 10_000, logger });
const admin = createJobAdmin({ jobs: Object.keys(catalogue), redis, logger });
const producer = createJobProducer({ jobs: catalogue, redis, logger });

await redis.start?.();
try {
  await run(process.argv.slice(2));
} catch (error) {
  printError(
    error instanceof RedisUnavailableError
      ? new UserFacingError(
          "The queue's Redis is unavailable: start the stack, or set REDIS_QUEUE_URL.",
        )
      : error,
  );
  process.exitCode = 1;
} finally {
  await redis.stop?.();
}

async function run([command, job, rest]: string[]): Promise<void> {
  if (job !== undefined && !(job in catalogue)) {
    throw new UserFacingError(`Unknown job: ${job}. Known: ${Object.keys(catalogue).join(", ")}.`);
  }
  if (command === "list") return list();
  if (command === "retry") return console.log(`Queued again: ${await admin.retry(job, rest)}`);
  if (command === "drop") return console.log(`Dropped: ${await admin.drop(job, rest)}`);
  if (command === "run" && job !== undefined) return queue(job, rest);
  throw new UserFacingError(USAGE);
}

async function list(): Promise<void> {
  const queues = await admin.readQueues();
  const rows = queues.map(({ job, failed, ...counts }) => [
    job,
    { ...counts, failed: failed.length },
  ]);
  console.table(Object.fromEntries(rows));
  for (const { job, failed } of queues) {
    for (const { id, attempts, failedAt, reason, payload } of failed) {
      const when = `attempt ${attempts} at ${new Date(failedAt).toISOString()}`;
      console.log(`${job} ${id} failed, ${when}: ${reason} ${JSON.stringify(payload)}`);
    }
  }
}

async function queue(job: string, text = "{}"): Promise<void> {
  const payload = z.safeParse(catalogue[job]?.payload ?? z.never(), jsonOrNull(text));
  if (!payload.success) {
    throw new UserFacingError(`Invalid payload of ${job}:\n${z.prettifyError(payload.error)}`);
  }
  await producer.add(job, payload.data, { requestId: null });
  console.log(`Queued: ${job} ${JSON.stringify(payload.data)}`);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
