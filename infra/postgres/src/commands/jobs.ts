import { createJobAdmin, type JobAdmin } from "@tapthru/core/platform/jobs/admin";
import { createJobProducer, type JobProducer } from "@tapthru/core/platform/jobs/producer";
import { createLogger } from "@tapthru/core/platform/logger";
import { createRequestRedis, RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobCatalogue } from "@tapthru/proto/jobs/definition";
import * as z from "zod/mini";
import { changeAsCommand, recordAction } from "./change-as-command.ts";

const USAGE = `Usage:
  jobs list
  jobs retry [<job> [<id>]]    queues failed jobs again: all, those of one name, or one
  jobs drop [<job> [<id>]]     deletes failed jobs
  jobs run <job> [<payload>]   queues a job, such as: jobs run rebuild-redirects`;

const catalogue: JobCatalogue = JOBS;

/**
 * Runs one of the commands in USAGE and prints its result.
 * @param redisUrl of the queue's Redis
 * @param databaseUrl for the audit log
 * @throws UserFacingError if the command is invalid or Redis is unavailable
 */
export async function runJobsCommand(
  { redisUrl, databaseUrl }: { redisUrl: string; databaseUrl: () => string },
  args: string[],
): Promise<void> {
  const logger = createLogger({ service: "jobs", level: "error" });
  const redis = createRequestRedis({ url: redisUrl, name: "queue", budgetMs: 10_000, logger });
  const admin = createJobAdmin({ jobs: Object.keys(catalogue), redis, logger });
  const producer = createJobProducer({ jobs: catalogue, redis, logger });
  await redis.start?.();
  try {
    await run(args, { admin, producer, databaseUrl });
  } catch (error) {
    if (!(error instanceof RedisUnavailableError)) throw error;
    throw new UserFacingError("The queue's Redis is unavailable: start the stack, or set REDIS_QUEUE_URL.");
  } finally {
    await redis.stop?.();
  }
}

async function run(
  [command, job, rest]: string[],
  { admin, producer, databaseUrl }: { admin: JobAdmin; producer: JobProducer<JobCatalogue>; databaseUrl: () => string },
): Promise<void> {
  if (job !== undefined && !(job in catalogue)) {
    throw new UserFacingError(`Unknown job: ${job}. Known: ${Object.keys(catalogue).join(", ")}.`);
  }
  if (command === "list") return list(admin);
  if (command === "retry") {
    await record("jobs.retried");
    return console.log(`Queued again: ${await admin.retry(job, rest)}`);
  }
  if (command === "drop") {
    await record("jobs.discarded");
    return console.log(`Dropped: ${await admin.drop(job, rest)}`);
  }
  if (command === "run" && job !== undefined) {
    const payload = payloadOf(job, rest);
    await producer.add(job, payload, { requestId: null });
    return console.log(`Queued: ${job} ${JSON.stringify(payload)}`);
  }
  throw new UserFacingError(USAGE);

  async function record(action: string): Promise<void> {
    const jobs = { objectId: job ?? "all", object: job ?? "all", after: { id: rest ?? "all" } };
    await changeAsCommand(databaseUrl(), `jobs ${command}`, (client) => recordAction(client, { action, ...jobs }));
  }
}

async function list(admin: JobAdmin): Promise<void> {
  const queues = await admin.readQueues();
  const rows = queues.map(({ job, waiting, running, delayed, failedCount: failed }) => [
    job,
    { waiting, running, delayed, failed },
  ]);
  console.table(Object.fromEntries(rows));
  for (const { job, failed } of queues) {
    for (const { id, attempts, failedAt, reason, payload } of failed) {
      const when = `attempt ${attempts} at ${new Date(failedAt).toISOString()}`;
      console.log(`${job} ${id} failed, ${when}: ${reason} ${JSON.stringify(payload)}`);
    }
  }
}

function payloadOf(job: string, text = "{}"): unknown {
  const payload = z.safeParse(catalogue[job]?.payload ?? z.never(), jsonOrNull(text));
  if (payload.success) return payload.data;
  throw new UserFacingError(`Invalid payload of ${job}:\n${z.prettifyError(payload.error)}`);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
