import { createRedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { liveRecord, newCode } from "../testing/test-service.ts";
import { Memory } from "./memory.ts";
import { createRedisLoader, readRedis } from "./read-redis.ts";

const { logger } = createTestLogger();
const proxy = await createTcpProxy(process.env.TEST_REDIS_URL ?? "");
// Long enough for everything that happens while a response is held.
const redis = createRequestRedis({ url: proxy.url, name: "test", budgetMs: 30_000, logger });
await redis.start?.();
const store = createRedirectStore(redis, logger);
afterAll(async () => {
  await redis.stop?.();
  await proxy.refuse();
});
let memory: Memory;
let code: string;

beforeEach(() => {
  code = newCode();
  memory = new Memory(4_000_000);
});

async function read() {
  const [link] = await readRedis({ redirectStore: store, memory, logger }, [code]);
  return link;
}
const applyRevision = (revision: number) => memory.apply({ shortCode: code, revision });

describe("stale record", () => {
  beforeEach(() => store.put(code, liveRecord({ revision: 1 })));

  it.each([
    ["before the read", (change: () => void) => [change, () => proxy.holdResponses()]],
    ["during the read", (change: () => void) => [() => proxy.holdResponses(), change]],
  ])("ignores a stale record after a change %s", async (_, steps) => {
    const [first, second] = steps(() => applyRevision(2));
    first?.();
    const reading = read();
    second?.();
    proxy.release();
    expect(await reading).toBeNull();
    expect(memory.get(code)).toBeUndefined();
  });

  it("drops a stale record after a later change", async () => {
    expect(await read()).not.toBeNull();
    applyRevision(2);
    expect(memory.get(code)).toBeUndefined();
  });

  it("ignores a stale record if a newer revision is cached", async () => {
    memory.put(code, { ...liveRecord({ revision: 2 }), marketplace: "de", routed: null }, 0);
    expect(await read()).toBeNull();
    expect(memory.get(code)?.lookup.revision).toBe(2);
  });
});

describe("reads requested", () => {
  const createCountedReads = () => {
    const batches: (readonly string[])[] = [];
    const reads = createRedisLoader({
      redirectStore: {
        async getMany(shortCodes) {
          batches.push(shortCodes);
          return shortCodes.map(() => liveRecord());
        },
      },
      memory,
      logger,
    });
    return { batches, load: (shortCode: string) => reads.load(shortCode) };
  };

  it("reads within one turn of the event loop are one command", async () => {
    const { batches, load } = createCountedReads();
    const links = await Promise.all(["one2222", "two2222"].map(load));
    expect(links).toEqual(Array.from({ length: 2 }, () => expect.objectContaining(liveRecord())));
    expect(batches).toEqual([["one2222", "two2222"]]);
  });

  it("reads that are requested in a later turn are another command", async () => {
    const { batches, load } = createCountedReads();
    await load(code);
    await load(code);
    expect(batches).toEqual([[code], [code]]);
  });
});
