import { redirectKey } from "@tapthru/proto/redirect/record";
import { expect, it, onTestFinished, vi } from "vitest";
import { createRedisCluster } from "../testing/redis-cluster.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { createRedirectStore } from "./redirect-store.ts";
import { createRequestRedis } from "./redis.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const CODES = Array.from({ length: 30 }, (_, n) => `cluster-${n}`);
const RECORD = {
  state: "live" as const,
  revision: 1,
  webUrl: "https://www.amazon.de/dp/B0ZZ1Y2X3W",
  expiresAt: null,
  title: null,
  description: null,
  imageUrl: null,
  siteName: null,
};

it("serves the keys of other masters while one does not respond and is not replaced, and drops its connection once", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const cluster = await createRedisCluster({ settings: ["--cluster-node-timeout", "60000"] });
  onTestFinished(() => cluster.remove());
  const { logger } = createTestLogger();
  const redis = createRequestRedis({ url: cluster.url, name: "test", budgetMs: 1_000, logger });
  onTestFinished(async () => redis.stop?.());
  await redis.start?.();
  const store = createRedirectStore(redis, logger);
  await vi.waitFor(() => store.putMany(CODES.map((shortCode) => ({ record: RECORD, shortCode }))), WAIT);
  const masters = await Promise.all(CODES.map((code) => cluster.masterOf(redirectKey(code))));
  const frozen = CODES.filter((_, i) => masters[i] === masters[0]);
  const others = CODES.filter((_, i) => masters[i] !== masters[0]);
  const connections = redis.connections;
  masters[0]?.server.freeze();
  const reads = frozen.flatMap((code) => Array.from({ length: 5 }, () => store.getMany([code])));
  await Promise.allSettled(reads);
  expect(redis.isAvailable).toBe(true);
  await vi.waitFor(() => expect(redis.connections).toBeGreaterThan(connections), WAIT);
  await vi.waitFor(async () => expect(await store.getMany(others)).not.toContain(null), WAIT);
  masters[0]?.server.resume();
  await vi.waitFor(async () => expect(await store.getMany(CODES)).not.toContain(null), WAIT);
  // Each time ioredis drops a connection, it adds a listener to its socket.
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});
