import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { createRequestRedis } from "../redis/redis.ts";
import { startRedis } from "../testing/controlled-redis.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { registerQueueMemory } from "./queue-memory.ts";

it("keeps the last measurement while Redis is unavailable", async () => {
  const server = await startRedis({ settings: ["--maxmemory", "100mb"] });
  onTestFinished(() => server.remove());
  const { logger } = createTestLogger();
  const queue = createRequestRedis({ url: server.url, name: "queue", budgetMs: 10_000, logger });
  await queue.start?.();
  onTestFinished(() => queue.stop?.());
  const registry = new Registry();
  registerQueueMemory(registry, queue);
  const read = async (kind: string) =>
    (await registry.getSingleMetric(`tapthru_queue_memory_${kind}_bytes`)?.get())?.values[0]?.value;
  const used = await read("used");
  await server.kill();
  expect(used).toBeGreaterThan(0);
  expect(await read("used")).toBe(used);
  expect(await read("max")).toBe(100 * 1_024 ** 2);
});
