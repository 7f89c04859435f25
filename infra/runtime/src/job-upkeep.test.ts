import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createQueueUpkeep, type QueueUpkeep } from "./job-upkeep.ts";
import { createLogLines } from "./testing/log-lines.ts";
import { createOwnRedis, type OwnRedis } from "./testing/own-redis.ts";
import { tick } from "./testing/test-jobs.ts";

let server: OwnRedis;
let redis: Redis;
let upkeep: QueueUpkeep;

beforeEach(async () => {
  server = await createOwnRedis("--maxmemory-policy", "allkeys-lru");
  await server.start();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  upkeep = createQueueUpkeep({ jobs: [tick], logger: createLogLines().logger, roundMs: 10 });
  upkeep.start(redis);
});
afterEach(async () => {
  upkeep.stop();
  redis.disconnect();
  await server.remove();
});

it("is not ready while Redis may drop jobs, and says why", async () => {
  const fault =
    "the queue's Redis may drop jobs: its maxmemory-policy is allkeys-lru, not noeviction";
  await vi.waitFor(() => expect(upkeep.whyNotReady()).toBe(fault));
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await vi.waitFor(() => expect(upkeep.whyNotReady()).toBeNull());
});

it("puts schedules back after Redis was emptied", async () => {
  const schedule = () =>
    vi.waitFor(async () =>
      expect(await redis.hgetall("jobs:tick:repeat:tick")).toMatchObject({ every: "3600000" }),
    );
  await schedule();
  await redis.flushall();
  await schedule();
});
