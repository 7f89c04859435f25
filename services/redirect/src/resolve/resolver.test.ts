import { RateLimiterMemory } from "rate-limiter-flexible";
import { beforeEach, describe, expect, it } from "vitest";
import { AddressLimiter } from "../address-limit.ts";
import type { Link, Lookup } from "../link.ts";
import { liveRecord, newCode, ownerRecord } from "../testing/test-service.ts";
import { Memory, REFRESH_AFTER_MS, USABLE_FOR_MS } from "./memory.ts";
import { createResolver, type Resolver } from "./resolver.ts";

const HERE = { ip: "203.0.113.1" };
const ELSEWHERE = { ip: "203.0.113.2" };
const link: Link = { ...liveRecord(), marketplace: "de", routed: null };

let memory: Memory;
let tail: { freshUntil: number; trustsRedis: boolean; sync: () => Promise<boolean> };
let inRedis: Link | null;
let inPostgres: Lookup;
let queried: string[];
let resolver: Resolver;
let code: string;

beforeEach(() => {
  code = newCode();
  memory = new Memory(4_000_000);
  queried = [];
  const lookupRate = new RateLimiterMemory({ points: 6, duration: 600 });
  inRedis = null;
  inPostgres = { state: "unknown" };
  tail = {
    freshUntil: Number.POSITIVE_INFINITY,
    trustsRedis: true,
    sync: async () => {
      queried.push("tail");
      return true;
    },
  };
  resolver = createResolver({
    memory,
    tail,
    async readRedis() {
      queried.push("redis");
      await Promise.resolve();
      return inRedis;
    },
    async readPostgres(shortCode) {
      queried.push("postgres");
      await Promise.resolve();
      if (inPostgres.state === "unknown") memory.unknownCodes.set(shortCode, true);
      return inPostgres;
    },
    unknownCodeLimiter: new AddressLimiter({ perMinute: 3, maxAddresses: 10 }),
    lookupRate,
  });
});

const resolve = (shortCode = code, caller: { ip: string | undefined } = HERE) => resolver.resolve(shortCode, caller);
const states = async (resolutions: ReturnType<typeof resolve>[]) =>
  (await Promise.all(resolutions)).map(({ lookup }) => lookup.state);
const times = <T>(count: number, one: () => T) => Array.from({ length: count }, () => one());

describe("link in memory", () => {
  beforeEach(() => memory.put(code, link, performance.now()));

  it("returns a link in memory synchronously without a query", () => {
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(queried).toEqual([]);
  });
});

describe("link in memory that is due for a refresh", () => {
  it("looks up a link that is due for a refresh again", async () => {
    memory.put(code, link, performance.now() - REFRESH_AFTER_MS);
    inRedis = link;
    expect(await resolve()).toEqual({ source: "redis", lookup: link });
  });

  it("one request refreshes the link, and the others get it from memory", async () => {
    memory.put(code, link, performance.now() - REFRESH_AFTER_MS);
    inPostgres = { state: "unavailable" };
    const first = resolve();
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(await first).toMatchObject({ source: "l1", lookup: link });
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(queried).toEqual(["redis", "postgres"]);
  });

  it("does not return the link if a change arrives during a refresh that fails", async () => {
    inPostgres = { state: "unavailable" };
    memory.put(code, link, performance.now() - REFRESH_AFTER_MS);
    const resolving = resolve();
    memory.apply({ shortCode: code, revision: 2 });
    expect(await resolving).toEqual({ source: "none", lookup: inPostgres });
  });

  it("returns the link while Redis and Postgres are unavailable, up to its maximum age", async () => {
    inPostgres = { state: "unavailable" };
    memory.put(code, link, performance.now() - REFRESH_AFTER_MS);
    expect(await resolve()).toMatchObject({ source: "l1", lookup: link });
    memory.put(code, link, performance.now() - USABLE_FOR_MS);
    expect(await resolve()).toEqual({ source: "none", lookup: inPostgres });
  });
});

describe("link not in memory", () => {
  it("comes from Postgres, with one lookup for concurrent requests", async () => {
    inPostgres = link;
    expect(await states(times(5, resolve))).toEqual(times(5, () => "live"));
    expect(queried.filter((source) => source === "postgres")).toHaveLength(1);
  });

  it("does not read a link from Redis while the tail does not trust it", async () => {
    tail.trustsRedis = false;
    inRedis = link;
    inPostgres = { state: "gone", revision: 2, reason: "deleted" };
    expect(await resolve()).toEqual({ source: "postgres", lookup: inPostgres });
  });
});

it("reads the owner of links whose channel has no tag once for each of them", async () => {
  const codes = [newCode(), newCode()];
  const following = { ...link, owner: "~1", channelId: 1, followsChannel: true };
  for (const each of codes) memory.put(each, { ...following }, performance.now());
  memory.put("~1", ownerRecord(), performance.now());
  inPostgres = ownerRecord();
  for (const each of [...codes, ...codes]) expect(await states([resolve(each)])).toEqual(["live"]);
  expect(queried).toEqual(["postgres", "postgres"]);
});

describe("link in Redis that another release wrote", () => {
  beforeEach(() => {
    inRedis = { ...link, isOfOtherRelease: true };
  });

  it.each<Lookup>([
    { ...liveRecord(), marketplace: "de", routed: null, startsAt: 2_000_000_000_000 },
    { state: "gone", revision: 1, reason: "taken-down" },
    { state: "unknown" },
  ])("reads from Postgres what another release wrote to Redis: %j", async (lookup) => {
    inPostgres = lookup;
    expect(await resolve()).toEqual({ source: "postgres", lookup });
  });

  it("opens while Postgres is unavailable, or too many links are read from it", async () => {
    inPostgres = { state: "unavailable" };
    const found = await Promise.all(times(10, () => resolve(newCode())));
    expect(found).toEqual(times(10, () => ({ source: "redis", lookup: inRedis })));
  });
});

describe("unknown code", () => {
  it("looks an unknown code up once, then only checks for its creation", async () => {
    expect(await states([resolve()])).toEqual(["unknown"]);
    expect(await states([resolve()])).toEqual(["unknown"]);
    expect(queried).toEqual(["redis", "postgres", "tail"]);
  });

  it("an unknown code does not count once its link is created", async () => {
    await resolve();
    inRedis = link;
    tail.sync = async () => {
      memory.apply({ shortCode: code, revision: 1 });
      return true;
    };
    expect(await states([resolve()])).toEqual(["live"]);
    inRedis = null;
    expect(await states(times(3, () => resolve(newCode())))).toEqual(["unknown", "unknown", "limited"]);
  });

  it("looks an unknown code up again while the tail cannot read changes", async () => {
    await resolve();
    tail.sync = async () => false;
    inPostgres = { state: "unavailable" };
    expect(await states([resolve()])).toEqual(["unavailable"]);
  });

  it("counts against the limit of the address each time it is requested", async () => {
    for (const shortCode of [code, code, newCode()]) {
      expect(await states([resolve(shortCode)])).toEqual(["unknown"]);
    }
    queried = [];
    const [newLookup, repeated] = await Promise.all([resolve(newCode()), resolve(code)]);
    expect(newLookup?.lookup).toMatchObject({ state: "limited", retryAfterMs: expect.any(Number) });
    expect(repeated?.lookup.state).toBe("limited");
    // Checking for the creation of the repeated code would query Postgres too.
    expect(queried).toEqual(["redis"]);
    expect(await states([resolve(newCode(), ELSEWHERE)])).toEqual(["unknown"]);
  });

  it("counts for each request that shares a lookup", async () => {
    expect(await states(times(5, resolve))).toEqual(
      times(5, () => "unknown")
        .with(4, "limited")
        .with(3, "limited"),
    );
  });
});

it("counts a disconnected client under its address", async () => {
  for (const freshUntil of [Number.POSITIVE_INFINITY, 0, 0]) {
    tail.freshUntil = freshUntil;
    const caller: { ip: string | undefined } = { ...HERE };
    const resolving = resolve(newCode(), caller);
    caller.ip = undefined;
    expect(await states([resolving])).toEqual(["unknown"]);
  }
  expect(await states([resolve(newCode())])).toEqual(["limited"]);
  expect(await states([resolve(newCode(), { ip: undefined })])).toEqual(["unknown"]);
});

describe("client that requested too many unknown codes", () => {
  beforeEach(async () => {
    for (const shortCode of times(3, newCode)) await resolve(shortCode);
    expect(await states([resolve(newCode())])).toEqual(["limited"]);
  });

  it("still gets a link that is being looked up for another client", async () => {
    inPostgres = link;
    expect(await states([resolve(code, ELSEWHERE), resolve(code)])).toEqual(["live", "live"]);
  });
});

it("does not count existing links", async () => {
  inPostgres = link;
  for (let i = 0; i < 6; i++) expect(await states([resolve(newCode())])).toEqual(["live"]);
});

it.each(["", "ab", "a".repeat(51), "a@go.example/", "__proto__"])(
  "queries nothing for %j, which is no code",
  (text) => {
    tail.freshUntil = 0;
    expect(resolve(text)).toEqual({ source: "none", lookup: { state: "unknown" } });
    expect(queried).toEqual([]);
  },
);
