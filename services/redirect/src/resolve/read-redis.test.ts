import { type FaultProxy, startFaultProxy } from "@tapthru/chaos/injectors/fault-proxy";
import { createRedirectStore, type RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis/redis";
import { createLogLines, type LogLine } from "@tapthru/runtime/testing/log-lines";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { liveRecord, newCode } from "../testing/test-service.ts";
import { LinkCache } from "./link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./memory.ts";
import { createRedisReads, readRedis } from "./read-redis.ts";
import { RevisionFloors } from "./revision-floors.ts";

let wire: FaultProxy;
let redis: RequestRedis;
let store: RedirectStore;
let memory: Memory;
let lines: LogLine[];
let code: string;

beforeAll(async () => {
  const url = new URL(process.env.TEST_REDIS_URL ?? "");
  wire = await startFaultProxy(Number(url.port));
  url.port = String(wire.port);
  const log = createLogLines();
  lines = log.lines;
  // Time enough for whatever happens while an answer is held.
  redis = createRequestRedis({ url: url.href, name: "test", budgetMs: 10_000, logger: log.logger });
  await redis.start?.();
  store = createRedirectStore(redis, log.logger);
});
afterAll(async () => {
  await redis.stop?.();
  await wire.stop();
});
beforeEach(() => {
  code = newCode();
  memory = {
    links: new LinkCache({ maxEntries: 10, maxBytes: 1e6 }),
    floors: new RevisionFloors(10),
    unknownCodes: createUnknownCodes(10),
  };
});

async function read() {
  const { logger } = createLogLines();
  const [link] = await readRedis({ redirectStore: store, memory, logger }, [code]);
  return link;
}
const learn = (revision: number) => applyChange(memory, { shortCode: code, revision });

it("takes a link into memory", async () => {
  await store.put(code, liveRecord());
  expect(await read()).toMatchObject(liveRecord());
  expect(memory.links.get(code)?.lookup).toMatchObject(liveRecord());
});

it("takes a tombstone into memory", async () => {
  await store.put(code, { state: "gone", revision: 2, reason: "deleted" });
  expect(await read()).toMatchObject({ state: "gone" });
  expect(memory.links.get(code)?.lookup).toMatchObject({ state: "gone" });
});

describe("of an old record", () => {
  beforeEach(() => store.put(code, liveRecord({ revision: 1 })));

  it.each([
    ["before it asks", (learnNow: () => void) => [learnNow, () => wire.holdResponses()]],
    [
      "while the answer is on its way",
      (learnNow: () => void) => [() => wire.holdResponses(), learnNow],
    ],
  ])("it believes nothing when it heard of a change %s", async (_, steps) => {
    const [first, second] = steps(() => learn(2));
    first?.();
    const reading = read();
    second?.();
    wire.release();
    expect(await reading).toBeNull();
    expect(memory.links.get(code)).toBeUndefined();
  });

  it("it keeps nothing when it hears of a change afterwards", async () => {
    expect(await read()).not.toBeNull();
    learn(2);
    expect(memory.links.get(code)).toBeUndefined();
  });

  it("it believes nothing while memory knows better", async () => {
    memory.links.put(code, { ...liveRecord({ revision: 2 }), marketplace: "de" }, 0);
    expect(await read()).toBeNull();
    expect(memory.links.revisionOf(code)).toBe(2);
  });
});

it("takes what is no page of a store for nothing", async () => {
  await store.put(code, liveRecord({ webUrl: "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W" }));
  expect(await read()).toBeNull();
  expect(memory.links.get(code)).toBeUndefined();
});

it("knows nothing, and says nothing, when Redis is away", async () => {
  wire.cut();
  expect(await read()).toBeNull();
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});

describe("reads that are requested", () => {
  const createCountedReads = () => {
    const batches: (readonly string[])[] = [];
    const reads = createRedisReads({
      redirectStore: {
        async getMany(shortCodes) {
          batches.push(shortCodes);
          return shortCodes.map(() => liveRecord());
        },
      },
      memory,
      logger: createLogLines().logger,
    });
    return { batches, load: (shortCode: string) => reads.load(shortCode) };
  };

  it("within a turn of the event loop go to Redis together", async () => {
    const { batches, load } = createCountedReads();
    const links = await Promise.all(["one2222", "two2222"].map(load));
    expect(links).toEqual(Array.from({ length: 2 }, () => expect.objectContaining(liveRecord())));
    expect(batches).toEqual([["one2222", "two2222"]]);
  });

  it("in a later turn go to Redis again", async () => {
    const { batches, load } = createCountedReads();
    await load(code);
    await load(code);
    expect(batches).toEqual([[code], [code]]);
  });
});
