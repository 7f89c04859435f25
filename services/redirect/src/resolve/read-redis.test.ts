import { createRedirectStore, type RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { liveRecord, newCode } from "../testing/test-service.ts";
import { LinkCache } from "./cache/link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./cache/memory.ts";
import { createRedisLoader, readRedis } from "./read-redis.ts";
import { RevisionFloor } from "./revision-floor.ts";

let proxy: TcpProxy;
let redis: RequestRedis;
let store: RedirectStore;
let memory: Memory;
let lines: LogLine[];
let code: string;

beforeAll(async () => {
  proxy = await createTcpProxy(process.env.TEST_REDIS_URL ?? "");
  const log = createTestLogger();
  lines = log.lines;
  // Long enough for everything that happens while a response is held.
  redis = createRequestRedis({
    url: proxy.url,
    name: "test",
    budgetMs: 10_000,
    logger: log.logger,
  });
  await redis.start?.();
  store = createRedirectStore(redis, log.logger);
});
afterAll(async () => {
  await redis.stop?.();
  await proxy.refuse();
});
beforeEach(() => {
  code = newCode();
  memory = {
    links: new LinkCache(4_000_000),
    revisionFloor: new RevisionFloor(10),
    unknownCodes: createUnknownCodes(10),
  };
});

async function read() {
  const { logger } = createTestLogger();
  const [link] = await readRedis({ redirectStore: store, memory, logger }, [code]);
  return link;
}
const applyRevision = (revision: number) => applyChange(memory, { shortCode: code, revision });

it("caches a link", async () => {
  await store.put(code, liveRecord());
  expect(await read()).toMatchObject(liveRecord());
  expect(memory.links.get(code)?.lookup).toMatchObject(liveRecord());
});

it("caches a tombstone", async () => {
  await store.put(code, { state: "gone", revision: 2, reason: "deleted" });
  expect(await read()).toMatchObject({ state: "gone" });
  expect(memory.links.get(code)?.lookup).toMatchObject({ state: "gone" });
});

describe("stale record", () => {
  beforeEach(() => store.put(code, liveRecord({ revision: 1 })));

  it.each([
    ["before the read", (change: () => void) => [change, () => proxy.holdResponses()]],
    ["during the read", (change: () => void) => [() => proxy.holdResponses(), change]],
  ])("is ignored after a change %s", async (_, steps) => {
    const [first, second] = steps(() => applyRevision(2));
    first?.();
    const reading = read();
    second?.();
    proxy.release();
    expect(await reading).toBeNull();
    expect(memory.links.get(code)).toBeUndefined();
  });

  it("is dropped after a later change", async () => {
    expect(await read()).not.toBeNull();
    applyRevision(2);
    expect(memory.links.get(code)).toBeUndefined();
  });

  it("is ignored if a newer revision is cached", async () => {
    memory.links.put(code, { ...liveRecord({ revision: 2 }), marketplace: "de", routed: null }, 0);
    expect(await read()).toBeNull();
    expect(memory.links.revisionOf(code)).toBe(2);
  });
});

it("ignores an address outside Amazon's stores", async () => {
  await store.put(code, liveRecord({ webUrl: "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W" }));
  expect(await read()).toBeNull();
  expect(memory.links.get(code)).toBeUndefined();
});

it("returns null without an error log if Redis is unavailable", async () => {
  await proxy.refuse();
  expect(await read()).toBeNull();
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
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
      logger: createTestLogger().logger,
    });
    return { batches, load: (shortCode: string) => reads.load(shortCode) };
  };

  it("within one turn of the event loop are one command", async () => {
    const { batches, load } = createCountedReads();
    const links = await Promise.all(["one2222", "two2222"].map(load));
    expect(links).toEqual(Array.from({ length: 2 }, () => expect.objectContaining(liveRecord())));
    expect(batches).toEqual([["one2222", "two2222"]]);
  });

  it("in a later turn are another command", async () => {
    const { batches, load } = createCountedReads();
    await load(code);
    await load(code);
    expect(batches).toEqual([[code], [code]]);
  });
});
