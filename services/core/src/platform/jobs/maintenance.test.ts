import { defineJob } from "@tapthru/proto/jobs/definition";
import { Redis } from "ioredis";
import type { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { tick } from "../testing/test-jobs.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { createQueueMaintenance, type QueueMaintenance } from "./maintenance.ts";
import { createJobMetrics } from "./metrics.ts";
import { openQueue } from "./queue.ts";

const WAIT = { timeout: 60_000 };

const wake = defineJob({ ...tick, schedule: { everyMs: 3_600_000, isAlone: true } });

let server: ControlledRedis;
let redis: Redis;
let registry: Registry;
let maintenance: QueueMaintenance;
let log: ReturnType<typeof createTestLogger>;

beforeEach(async () => {
  server = await startRedis({ settings: ["--maxmemory-policy", "allkeys-lru"] });
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  maintenance = startMaintenance();
});
afterEach(async () => {
  maintenance.stop();
  redis.disconnect();
  await server.remove();
});

function startMaintenance(): QueueMaintenance {
  registry = createMetrics();
  log = createTestLogger();
  const started = createQueueMaintenance({
    jobs: { tick, wake },
    metrics: createJobMetrics(registry, []),
    logger: log.logger,
    roundMs: 10,
  });
  started.start(redis);
  return started;
}

it("the worker is not ready while Redis may evict jobs, and gives the reason", async () => {
  const expectedReason = "the queue's Redis may drop jobs: its maxmemory-policy is allkeys-lru, not noeviction";
  await vi.waitFor(() => expect(maintenance.readinessReason()).toBe(expectedReason), WAIT);
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await vi.waitFor(() => expect(maintenance.readinessReason()).toBeNull(), WAIT);
});

it("restores schedules after Redis was emptied", async () => {
  const schedule = () =>
    vi.waitFor(
      async () => expect(await redis.hgetall("jobs:tick:repeat:tick")).toMatchObject({ every: "3600000" }),
      WAIT,
    );
  await schedule();
  await redis.flushall();
  await schedule();
});

it("restores the schedules of other queues while one fails", async () => {
  const schedule = () => redis.exists("jobs:wake:repeat:wake");
  await vi.waitFor(async () => expect(await schedule()).toBe(1), WAIT);
  await redis.set("jobs:tick:repeat", "not what BullMQ expects");
  await redis.del("jobs:wake:repeat", "jobs:wake:repeat:wake");
  await vi.waitFor(async () => expect(await schedule()).toBe(1), WAIT);
  const failed = expect.objectContaining({ event: "queue_maintenance_failed", queue: "tick" });
  await vi.waitFor(() => expect(log.lines).toContainEqual(failed), WAIT);
});

const WITHOUT_REQUEST = { requestId: null, payload: {} };

const value = async (metric: string, queue: string) =>
  (await registry.getSingleMetric(metric)?.get())?.values.find(
    ({ labels }) => labels.queue === queue && (labels.state ?? "waiting") === "waiting",
  )?.value;

it("reads a thousand ids at each end of a long queue for the age of the oldest job", async () => {
  const queue = openQueue("wake", redis, log.logger);
  const getRanges = vi.spyOn(queue, "getRanges");
  const lengths = () => getRanges.mock.settledResults.map(({ value: ids }) => ids.length);
  await queue.add("wake", WITHOUT_REQUEST, { priority: 1, timestamp: Date.now() - 900_000 });
  const waiting = Array.from({ length: 3_000 }, (_, i) => [2 ** 33 + i, 1_000_000 + i]).flat();
  await redis.zadd("jobs:wake:prioritized", ...waiting);
  await vi.waitFor(() => expect(lengths()).toContain(1_000), WAIT);
  expect(Math.max(...lengths())).toBe(1_000);
  await vi.waitFor(
    async () => expect(await value("tapthru_queue_oldest_waiting_seconds", "wake")).toBeGreaterThan(890),
    WAIT,
  );
});

it("starts a schedule at once, also several workers at the same time", async () => {
  const others = [startMaintenance(), startMaintenance()];
  const waiting = () => redis.llen("jobs:wake:wait");
  const concurrency = () => redis.hget("jobs:wake:meta", "concurrency");
  await vi.waitFor(async () => expect([await waiting(), await concurrency()]).toEqual([1, "1"]), WAIT);
  for (const other of others) other.stop();
  expect(await waiting()).toBe(1);
});
