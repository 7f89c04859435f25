import { beforeEach, describe, expect, it } from "vitest";
import type { Link, Lookup } from "../link.ts";
import { liveRecord, newCode } from "../testing/test-service.ts";
import { AddressLimiter } from "./address-limit.ts";
import { DROP_AFTER_MS, LinkCache, REFRESH_AFTER_MS } from "./link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./memory.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { RevisionFloors } from "./revision-floors.ts";

const HERE = { ip: "203.0.113.1" };
const ELSEWHERE = { ip: "203.0.113.2" };
const link: Link = { ...liveRecord(), marketplace: "de" };

let memory: Memory;
let tail: { freshUntil: number; trustsRedis: boolean; next: () => Promise<boolean> };
let inRedis: Link | null;
let inPostgres: Lookup;
let asked: string[];
let lookupsLeft: number;
let resolver: Resolver;
let code: string;

beforeEach(() => {
  code = newCode();
  memory = {
    links: new LinkCache({ maxEntries: 10, maxBytes: 1e6 }),
    floors: new RevisionFloors(10),
    unknownCodes: createUnknownCodes(10),
  };
  asked = [];
  lookupsLeft = 6;
  inRedis = null;
  inPostgres = { state: "unknown" };
  tail = {
    freshUntil: Number.POSITIVE_INFINITY,
    trustsRedis: true,
    next: async () => {
      asked.push("tail");
      return true;
    },
  };
  resolver = createResolver({
    memory,
    tail,
    async readRedis() {
      asked.push("redis");
      await Promise.resolve();
      return inRedis;
    },
    async readPostgres(shortCode) {
      asked.push("postgres");
      await Promise.resolve();
      if (inPostgres.state === "unknown") memory.unknownCodes.set(shortCode, true);
      return inPostgres;
    },
    unknownCodeLimit: new AddressLimiter({ perMinute: 3, maxAddresses: 10 }),
    lookupRate: { tryRemoveTokens: () => lookupsLeft-- > 0 },
  });
});

const resolve = (shortCode = code, caller: { ip: string | undefined } = HERE) =>
  resolver.resolve(shortCode, caller);
const states = async (resolutions: ReturnType<typeof resolve>[]) =>
  (await Promise.all(resolutions)).map(({ lookup }) => lookup.state);
const times = <T>(count: number, one: () => T) => Array.from({ length: count }, () => one());

describe("a link in memory", () => {
  beforeEach(() => memory.links.put(code, link, performance.now()));

  it("is given at once, without asking anybody", () => {
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(asked).toEqual([]);
  });

  it("waits for the tail where nothing was heard of changes for too long", async () => {
    tail.freshUntil = performance.now() - 1;
    tail.next = async () => {
      applyChange(memory, { shortCode: code, revision: 2 });
      return true;
    };
    inPostgres = { state: "gone", revision: 2, reason: "deleted" };
    expect(await resolve()).toEqual({ source: "postgres", lookup: inPostgres });
  });

  it("is given where the tail can read nothing", async () => {
    tail.freshUntil = performance.now() - 1;
    tail.next = async () => false;
    expect(await resolve()).toMatchObject({ source: "l1", lookup: link });
  });
});

describe("a link that has been in memory for long", () => {
  it("is asked for again", async () => {
    memory.links.put(code, link, performance.now() - REFRESH_AFTER_MS);
    inRedis = link;
    expect(await resolve()).toEqual({ source: "redis", lookup: link });
  });

  it("is asked for by one, and given to the others meanwhile", async () => {
    memory.links.put(code, link, performance.now() - REFRESH_AFTER_MS);
    inPostgres = { state: "unavailable" };
    const first = resolve();
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(await first).toMatchObject({ source: "l1", lookup: link });
    expect(resolve()).toMatchObject({ source: "l1", lookup: link });
    expect(asked).toEqual(["redis", "postgres"]);
  });

  it("goes on while nobody can be asked, up to its age", async () => {
    inPostgres = { state: "unavailable" };
    memory.links.put(code, link, performance.now() - REFRESH_AFTER_MS);
    expect(await resolve()).toMatchObject({ source: "l1", lookup: link });
    memory.links.put(code, link, performance.now() - DROP_AFTER_MS);
    expect(await resolve()).toEqual({ source: "none", lookup: inPostgres });
  });
});

describe("a link that is not in memory", () => {
  it("comes from Redis", async () => {
    inRedis = link;
    expect(await resolve()).toEqual({ source: "redis", lookup: link });
    expect(asked).toEqual(["redis"]);
  });

  it("comes from Postgres, for all who want it at once", async () => {
    inPostgres = link;
    expect(await states(times(5, resolve))).toEqual(times(5, () => "live"));
    expect(asked.filter((who) => who === "postgres")).toHaveLength(1);
  });

  it("is not asked of Redis while that is not to be trusted", async () => {
    tail.trustsRedis = false;
    inRedis = link;
    inPostgres = { state: "gone", revision: 2, reason: "deleted" };
    expect(await resolve()).toEqual({ source: "postgres", lookup: inPostgres });
  });
});

describe("a code that nobody knows", () => {
  it("is asked for once, and then only whether it was made", async () => {
    expect(await states([resolve()])).toEqual(["unknown"]);
    expect(await states([resolve()])).toEqual(["unknown"]);
    expect(asked).toEqual(["redis", "postgres", "tail"]);
  });

  it("resolves at the first try once its link is made", async () => {
    await resolve();
    inPostgres = link;
    tail.next = async () => {
      applyChange(memory, { shortCode: code, revision: 1 });
      return true;
    };
    expect(await states([resolve()])).toEqual(["live"]);
  });

  it("is asked for again while the tail cannot say whether it was made", async () => {
    await resolve();
    tail.next = async () => false;
    inPostgres = { state: "unavailable" };
    expect(await states([resolve()])).toEqual(["unavailable"]);
  });

  it("counts against the limit of the address, also when it is asked for again", async () => {
    for (const shortCode of [code, code, newCode()]) {
      expect(await states([resolve(shortCode)])).toEqual(["unknown"]);
    }
    asked = [];
    const [one, other] = await Promise.all([resolve(newCode()), resolve(code)]);
    expect(one?.lookup).toMatchObject({ state: "limited", retryAfterMs: expect.any(Number) });
    expect(other?.lookup.state).toBe("limited");
    expect(asked).not.toContain("postgres");
    expect(await states([resolve(newCode(), ELSEWHERE)])).toEqual(["unknown"]);
  });

  it("counts for each who waits for the same answer", async () => {
    expect(await states(times(5, resolve))).toEqual(
      times(5, () => "unknown")
        .with(4, "limited")
        .with(3, "limited"),
    );
  });
});

it("counts who hangs up by the address he had", async () => {
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

describe("who asked for too many unknown codes", () => {
  beforeEach(async () => {
    for (const shortCode of times(3, newCode)) await resolve(shortCode);
    expect(await states([resolve(newCode())])).toEqual(["limited"]);
  });

  it("still gets links that memory or Redis knows", async () => {
    inRedis = link;
    expect(await states([resolve()])).toEqual(["live"]);
    memory.links.put(code, link, performance.now());
    expect(await states([resolve()])).toEqual(["live"]);
  });

  it("still gets a link somebody else is being looked up for", async () => {
    inPostgres = link;
    expect(await states([resolve(code, ELSEWHERE), resolve(code)])).toEqual(["live", "live"]);
  });
});

it("never counts links that are there", async () => {
  inPostgres = link;
  for (let i = 0; i < 6; i++) expect(await states([resolve(newCode())])).toEqual(["live"]);
});

it("asks Postgres no more often than the rate, whoever asks", async () => {
  inPostgres = { state: "unavailable" };
  for (let i = 0; i < 10; i++) await resolve(newCode(), { ip: `203.0.113.${i}` });
  expect(asked.filter((who) => who === "postgres")).toHaveLength(6);
});

it.each(["", "abc", "abc2345x", "ABC2345", "abc234l", "constructor", "__proto__"])(
  "asks nobody for %j, which is no code",
  (text) => {
    tail.freshUntil = 0;
    expect(resolve(text)).toEqual({ source: "none", lookup: { state: "unknown" } });
    expect(asked).toEqual([]);
  },
);

it("asks each anew after an answer that failed", async () => {
  inPostgres = { state: "unavailable" };
  await resolve();
  inPostgres = link;
  expect(await states([resolve()])).toEqual(["live"]);
});
