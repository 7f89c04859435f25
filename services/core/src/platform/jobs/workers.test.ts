import { once } from "node:events";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import type { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { createRequestRedis, RedisUnavailableError, type RequestRedis } from "../redis/redis.ts";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { TEST_JOBS } from "../testing/test-jobs.ts";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import { createJobProducer, type JobProducer } from "./producer.ts";
import { queuePrefix } from "./queue.ts";
import { createJobWorkers, type JobHandlers, type JobWorkers } from "./workers.ts";

type Handlers = JobHandlers<typeof TEST_JOBS>;

const FAILED = "job failed after its last attempt";
const WAIT_OPTIONS = { timeout: 40_000 };
const ORIGIN = { requestId: "request-0001" };

let server: ControlledRedis;
let redis: RequestRedis;
let producer: JobProducer<typeof TEST_JOBS>;
let lines: LogLine[];
let registry: Registry;
const running: JobWorkers[] = [];

beforeEach(async () => {
  server = await startRedis();
  const log = createTestLogger();
  lines = log.lines;
  const { logger } = log;
  redis = createRequestRedis({ url: server.url, name: "queue", budgetMs: 2_000, logger });
  await redis.start?.();
  producer = createJobProducer({ jobs: TEST_JOBS, redis, logger });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((workers) => workers.stop?.()));
  await redis.stop?.();
  await server.remove();
});

async function work(handlers: Partial<Handlers>, ping?: () => Promise<unknown>): Promise<JobWorkers> {
  const { logger, lines: written } = createTestLogger();
  lines = written;
  registry = createMetrics();
  const workers = createJobWorkers({
    jobs: TEST_JOBS,
    handlers: { greet: async () => {}, tick: async () => {}, ...handlers },
    redisUrl: server.url,
    registry,
    logger,
    ...(ping && { ping }),
  });
  running.push(workers);
  await workers.start?.();
  return workers;
}

async function jobCounts(name: string): Promise<Record<string, number>> {
  const client = new Redis(server.url, { maxRetriesPerRequest: null });
  try {
    return await new Queue(name, { connection: client, prefix: queuePrefix(client) }).getJobCounts();
  } finally {
    client.disconnect();
  }
}
async function isEmpty(): Promise<boolean> {
  return Object.values(await jobCounts("greet")).every((count) => count === 0);
}
const untilEmpty = () => vi.waitFor(async () => expect(await isEmpty()).toBe(true), WAIT_OPTIONS);
const untilMessage = (message: string) =>
  vi.waitFor(() => expect(linesWithMessage(message)).toHaveLength(1), WAIT_OPTIONS);

async function outcomes(): Promise<Record<string, number>> {
  const values = (await registry.getSingleMetric("tapthru_jobs_total")?.get())?.values ?? [];
  const ofGreet = values.filter(({ labels }) => labels.queue === "greet");
  return Object.fromEntries(ofGreet.map(({ labels, value }) => [labels.outcome, value]));
}

const linesWithMessage = (message: string) => lines.filter(({ msg }) => msg === message);

describe("a job", () => {
  it("a job has its payload and the id of its request, which is in the log too", async () => {
    const handler = vi.fn<Handlers["greet"]>(async () => {});
    await work({ greet: handler });
    await producer.add("greet", { name: "Ann" }, ORIGIN);
    const completed = () => linesWithMessage("job completed").filter(({ job }) => job === "greet");
    await vi.waitFor(() => expect(completed()).not.toEqual([]), WAIT_OPTIONS);
    expect(handler.mock.calls[0]?.[0]).toEqual({ name: "Ann" });
    expect(completed()).toMatchObject([{ requestId: "request-0001" }]);
  });

  it("runs once if it is added several times while it waits, and again afterwards", async () => {
    for (let i = 0; i < 3; i++) await producer.add("greet", { name: "Ann" }, ORIGIN);
    const handler = vi.fn(async () => {});
    await work({ greet: handler });
    await untilEmpty();
    expect(handler).toHaveBeenCalledTimes(1);
    await producer.add("greet", { name: "Ann" }, ORIGIN);
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2), WAIT_OPTIONS);
  });

  it("runs before jobs with a higher priority number, in any order of adding", async () => {
    const names: string[] = [];
    const priorities = { Ann: 300, Ben: 200, Cid: 100, Dan: 100 };
    for (const [name, priority] of Object.entries(priorities)) {
      await producer.add("greet", { name }, { ...ORIGIN, priority });
    }
    await work({ greet: async ({ name }) => void names.push(name) });
    await vi.waitFor(() => expect(names).toEqual(["Cid", "Dan", "Ben", "Ann"]), WAIT_OPTIONS);
  });

  it("a job that is added again gets the lower number, and never a higher one", async () => {
    const names: string[] = [];
    await producer.add("greet", { name: "Ann" }, { ...ORIGIN, priority: 200 });
    await producer.add("greet", { name: "Ben" }, { ...ORIGIN, priority: 300 });
    await producer.add("greet", { name: "Ben" }, { ...ORIGIN, priority: 100 });
    await producer.add("greet", { name: "Ben" }, { ...ORIGIN, priority: 400 });
    await work({ greet: async ({ name }) => void names.push(name) });
    await vi.waitFor(() => expect(names).toEqual(["Ben", "Ann"]), WAIT_OPTIONS);
  });

  it("retries a job that throws, then keeps it as failed and frees its id; counts each run by its result", async () => {
    const handler = vi.fn(async () => {
      throw new Error("no");
    });
    await work({ greet: handler });
    await producer.add("greet", { name: "Ann" }, ORIGIN);
    await untilMessage(FAILED);
    expect(linesWithMessage("job failed and will be retried")).toHaveLength(2);
    expect(handler).toHaveBeenCalledTimes(3);
    const counted = { done: 0, "to-be-retried": 2, failed: 1, "put-back": 0 };
    await vi.waitFor(async () => expect(await outcomes()).toEqual(counted), WAIT_OPTIONS);
    expect(await jobCounts("greet")).toMatchObject({ failed: 1, waiting: 0, delayed: 0 });
    await producer.add("greet", { name: "Ann" }, ORIGIN);
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(6), WAIT_OPTIONS);
  });

  it("does not fail while a dependency is unavailable, and is repeated until it is available again", async () => {
    let isAvailable = false;
    const handler = vi.fn(async () => {
      if (!isAvailable) throw new Error("unavailable");
    });
    await work({ greet: handler }, handler);
    for (const name of ["Ann", "Ben"]) await producer.add("greet", { name }, ORIGIN);
    await vi.waitFor(async () => expect((await outcomes())["put-back"]).toBeGreaterThan(3), WAIT_OPTIONS);
    isAvailable = true;
    await untilEmpty();
    await vi.waitFor(async () => expect(await outcomes()).toMatchObject({ done: 2 }), WAIT_OPTIONS);
    expect(await outcomes()).toMatchObject({ failed: 0, "to-be-retried": 0 });
  });

  it.each([{ requestId: null, payload: { name: 7 } }, { payload: { name: "Ann" } }, "nonsense"])(
    "a job with the data %j never reaches its handler and is not retried",
    async (data) => {
      const client = new Redis(server.url, { maxRetriesPerRequest: null });
      const queue = new Queue("greet", { connection: client, prefix: queuePrefix(client) });
      await queue.add("greet", data, { attempts: 3, removeOnFail: true });
      client.disconnect();
      const handler = vi.fn(async () => {});
      await work({ greet: handler });
      await untilMessage(FAILED);
      expect(handler).not.toHaveBeenCalled();
    },
  );
});

async function beginJob(end: (signal: AbortSignal) => unknown = () => {}): Promise<JobWorkers> {
  const begun = Promise.withResolvers<void>();
  const workers = await work({
    async greet(_, { signal }) {
      begun.resolve();
      await once(signal, "abort");
      await end(signal);
    },
  });
  await producer.add("greet", { name: "Ann" }, ORIGIN);
  await begun.promise;
  return workers;
}

it("stops even during a job while Redis is unresponsive", async () => {
  const workers = await beginJob();
  server.freeze();
  await workers.stop?.();
  server.resume();
});

describe("when Redis is killed", () => {
  it("adding fails, and jobs and workers continue when it is available again", async () => {
    const handler = vi.fn(async () => {});
    await producer.add("greet", { name: "before" }, ORIGIN);
    await work({ greet: handler });
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1), WAIT_OPTIONS);
    await server.kill();
    const adding = producer.add("greet", { name: "Ann" }, ORIGIN);
    await expect(adding).rejects.toBeInstanceOf(RedisUnavailableError);
    await server.start();
    await vi.waitFor(() => producer.add("greet", { name: "Ann" }, ORIGIN), WAIT_OPTIONS);
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2), WAIT_OPTIONS);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("workers still stop", async () => {
    const workers = await work({});
    await vi.waitFor(() => expect(workers.readinessReason()).toBeNull(), WAIT_OPTIONS);
    await server.kill();
    await workers.stop?.();
  });
});

it("logs what a queue refuses, other than an unavailable Redis", async () => {
  await redis.run((client) => client.set("jobs:greet:wait", "not a list"));
  await work({});
  await vi.waitFor(() => expect(linesWithMessage("job worker failed")).not.toEqual([]), WAIT_OPTIONS);
});

it("starts without Redis, and works when it becomes available", async () => {
  await producer.add("greet", { name: "Ann" }, ORIGIN);
  await server.kill();
  const handler = vi.fn(async () => {});
  const workers = await work({ greet: handler });
  expect(workers.readinessReason()).toBe("the queue's Redis was not reached yet");
  await server.start();
  await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1), WAIT_OPTIONS);
  await vi.waitFor(() => expect(workers.readinessReason()).toBeNull(), WAIT_OPTIONS);
});

it("aborts its jobs when it stops, and waits for them", async () => {
  let ended = false;
  const workers = await beginJob(async () => {
    await new Promise(setImmediate);
    ended = true;
  });
  await workers.stop?.();
  expect(ended).toBe(true);
  expect(await isEmpty()).toBe(true);
});

it("requeues a job that throws because the worker stops, with all its attempts", async () => {
  const workers = await beginJob((signal) => signal.throwIfAborted());
  await workers.stop?.();
  expect(await jobCounts("greet")).toMatchObject({ waiting: 1, failed: 0 });
  const handler = vi.fn(async () => {
    throw new Error("no");
  });
  await work({ greet: handler });
  await untilMessage(FAILED);
  expect(handler).toHaveBeenCalledTimes(3);
});
