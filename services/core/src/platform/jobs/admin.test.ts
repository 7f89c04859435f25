import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { createRequestRedis, type RequestRedis } from "../redis/redis.ts";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { greet } from "../testing/test-jobs.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { createJobAdmin, type JobAdmin } from "./admin.ts";
import { createJobProducer, type JobProducer } from "./producer.ts";
import { createJobWorkers, type JobWorkers } from "./workers.ts";

const WAIT_OPTIONS = { timeout: 60_000 };
const JOBS = { greet };
const { logger } = createTestLogger();

let server: ControlledRedis;
let redis: RequestRedis;
let admin: JobAdmin;
let producer: JobProducer<typeof JOBS>;
let workers: JobWorkers;
let handlerSucceeds: boolean;

beforeEach(async () => {
  server = await startRedis();
  redis = createRequestRedis({ url: server.url, name: "queue", budgetMs: 1_000, logger });
  await redis.start?.();
  admin = createJobAdmin({ jobs: ["greet"], redis, logger, budgetMs: 1_000 });
  producer = createJobProducer({ jobs: JOBS, redis, logger });
  handlerSucceeds = false;
  workers = createJobWorkers({
    jobs: JOBS,
    handlers: {
      async greet({ name }) {
        if (!handlerSucceeds) throw new Error(`no ${name}`);
      },
    },
    redisUrl: server.url,
    registry: createMetrics(),
    logger,
  });
  await workers.start?.();
  for (const name of ["Ann", "Ben"]) await producer.add("greet", { name }, { requestId: null });
  await vi.waitFor(async () => expect(await failed()).toHaveLength(2), WAIT_OPTIONS);
});
afterEach(async () => {
  await workers.stop?.();
  await redis.stop?.();
  await server.remove();
});

const failed = async () => (await admin.read(100))[0]?.latest ?? [];

it("lists failed jobs with their error", async () => {
  const ann = (await failed()).find(({ reason }) => reason === "no Ann");
  expect(ann).toMatchObject({ attempts: 3 });
  expect(ann?.failedAt).toBeGreaterThan(0);
  expect(await admin.read(1)).toMatchObject([{ job: "greet", count: 2, latest: { length: 1 } }]);
});

it("retries a failed job", async () => {
  handlerSucceeds = true;
  const [first, second] = await failed();
  expect(await admin.retry("greet", "none")).toBe(0);
  expect(await admin.retry("greet", first?.id)).toBe(1);
  await vi.waitFor(async () => expect(await failed()).toMatchObject([{ id: second?.id }]), WAIT_OPTIONS);
  expect(await admin.retry("greet")).toBe(1);
  await vi.waitFor(async () => expect(await admin.read(1)).toEqual([]), WAIT_OPTIONS);
});

it("gives a retried job all its attempts", async () => {
  await admin.retry("greet");
  await vi.waitFor(async () => {
    expect((await failed()).map(({ attempts }) => attempts)).toEqual([3, 3]);
  }, WAIT_OPTIONS);
});

it("drops failed jobs", async () => {
  const [first, second] = await failed();
  expect(await admin.drop("greet", first?.id)).toBe(1);
  expect(await failed()).toMatchObject([{ id: second?.id }]);
  expect(await admin.drop("greet")).toBe(1);
  expect(await failed()).toEqual([]);
});
