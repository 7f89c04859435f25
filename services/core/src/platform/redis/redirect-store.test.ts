import {
  REDIRECT_CHANGES_CHANNEL,
  REDIRECTS_UP_TO_DATE_KEY,
  type RedirectRecord,
  redirectKey,
} from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import { createRedirectStore, type RedirectStore, redirectTtlMs } from "./redirect-store.ts";
import { createRequestRedis } from "./redis.ts";

const HOUR = 3_600_000;

const url = String(process.env.TEST_REDIS_URL);
const redis = createRequestRedis({ url, name: "test", budgetMs: 30_000, logger: createTestLogger().logger });
await redis.start?.();
afterAll(() => redis.stop?.());
let store: RedirectStore;
let lines: LogLine[];
let code: string;

beforeEach(() => {
  const log = createTestLogger();
  lines = log.lines;
  store = createRedirectStore(redis, log.logger);
  code = `test${Math.random().toString(36).slice(2)}`;
});

const live = (revision: number, expiresAt: number | null = null): RedirectRecord => ({
  state: "live",
  revision,
  expiresAt,
  webUrl: `https://www.amazon.com/dp/B08N5WRWNW?tag=rev-${revision}`,
  title: "Ein Titel mit ü",
  description: null,
  imageUrl: null,
  siteName: null,
});
const gone = (revision: number): RedirectRecord => ({ state: "gone", revision, reason: "deleted" });
const setRawValue = (value: string) => redis.run((client) => client.set(redirectKey(code), value));
const ttl = () => redis.run((client) => client.pttl(redirectKey(code)));

it("returns the stored record, and null for an unknown code", async () => {
  expect(await store.get(code)).toBeNull();
  await store.put(code, live(1, 1_900_000_000_000));
  expect(await store.get(code)).toEqual(live(1, 1_900_000_000_000));
});

it("holds no nulls in Redis", async () => {
  await store.put(code, live(1));
  expect(await redis.run((client) => client.get(redirectKey(code)))).not.toContain("null");
});

describe("of two records", () => {
  it.each([
    ["a newer one replaces an older", live(1), live(2), live(2)],
    ["an older one never replaces a newer", live(10), live(9), live(10)],
    ["an older one never brings a deleted link back", gone(2), live(1), gone(2)],
    ["a tombstone replaces an older live record", live(1), gone(2), gone(2)],
    ["a live record never replaces a tombstone of the same revision", gone(2), live(2), gone(2)],
    ["a tombstone replaces a live record of the same revision", live(2), gone(2), gone(2)],
    ["a reinstated link replaces its tombstone", gone(2), live(3), live(3)],
  ])("%s", async (_, first, second, kept) => {
    await store.put(code, first);
    await store.put(code, second);
    expect(await store.get(code)).toEqual(kept);
  });

  it("the later one may have newer metadata with the same revision", async () => {
    await store.put(code, live(1));
    await store.put(code, { ...live(1), title: "Fresh" } as RedirectRecord);
    expect(await store.get(code)).toMatchObject({ title: "Fresh" });
  });
});

it.each(["", "nonsense", "[]", "null", '"x"', '{"state":"live"}', '{"revision":99}'])(
  "treats %j as no record, logs that once, and overwrites it",
  async (garbage) => {
    await setRawValue(garbage);
    expect(await store.get(code)).toBeNull();
    expect(await store.get(code)).toBeNull();
    expect(lines).toMatchObject([{ event: "invalid_redirect_record", shortCode: code }]);
    await store.put(code, live(100));
    expect(await store.get(code)).toEqual(live(100));
  },
);

it.each<[string, object]>([
  ["without a format", {}],
  ["of an earlier format", { format: "earlier1" }],
  ["of a later format, with a field of its own", { format: "later-99", opensAt: 7 }],
])("a record %s is marked as one of another release until it is written again", async (_, fields) => {
  await setRawValue(JSON.stringify({ ...live(4), ...fields }));
  expect(await store.get(code)).toEqual({ ...live(4), isOfOtherRelease: true });
  await store.restoreMany([{ shortCode: code, record: live(4) }]);
  expect(await store.get(code)).toEqual(live(4));
});

it("overwrites a key of another type", async () => {
  await redis.run((client) => client.hset(redirectKey(code), "revision", "9"));
  await store.put(code, live(1));
  expect(await store.get(code)).toEqual(live(1));
});

it("stores many records at once, each unless the stored one is newer, or none", async () => {
  const codes = Array.from({ length: 120 }, (_, i) => `${code}-${i}`);
  await store.put(codes[0] ?? "", live(5));
  await store.put(codes[119] ?? "", gone(2));
  await store.putMany(codes.map((shortCode) => ({ shortCode, record: live(3) })));
  await store.putMany([]);
  const kept = await Promise.all(codes.map((shortCode) => store.get(shortCode)));
  expect(kept).toEqual([live(5), ...codes.slice(1).map(() => live(3))]);
});

it("publishes a change when it is stored; refused, restored and first records are not published", async () => {
  const subscriber = new Redis(String(process.env.TEST_REDIS_URL));
  onTestFinished(() => subscriber.disconnect());
  const received: string[] = [];
  subscriber.on("message", (_channel, message) => {
    if (message.startsWith(code)) received.push(message);
  });
  await subscriber.subscribe(REDIRECT_CHANGES_CHANNEL);
  for (const record of [live(1), live(3), live(2), gone(4), live(4)]) await store.put(code, record);
  await store.restoreMany([{ shortCode: code, record: live(5) }]);
  await store.put(`${code}-last`, gone(2));
  await vi.waitFor(() => expect(received.at(-1)).toBe(`${code}-last 2`), { timeout: 60_000 });
  expect(received).toEqual([`${code} 3`, `${code} 4`, `${code}-last 2`]);
});

it("the up-to-date mark has an age, and lasts six hours", async () => {
  await redis.run((client) => client.set(REDIRECTS_UP_TO_DATE_KEY, "", "PX", 1));
  await vi.waitFor(async () => expect(await store.timeSinceUpToDate()).toBeNull(), { timeout: 60_000 });
  await store.markUpToDate();
  await redis.run((client) => client.pexpire(REDIRECTS_UP_TO_DATE_KEY, HOUR));
  expect(Math.round(((await store.timeSinceUpToDate()) ?? 0) / HOUR)).toBe(5);
});

describe("the TTL of a record", () => {
  it("sets the TTL of a record in Redis", async () => {
    await store.put(code, gone(1));
    expect(await ttl()).toBeGreaterThan(0);
    expect(await ttl()).toBeLessThanOrEqual(HOUR);
  });

  it.each([
    ["a tombstone", gone(1), HOUR],
    ["a link that stays", live(1), 30 * 24 * HOUR],
    ["an expiring link, till an hour past its expiry", live(1, 7 * HOUR), 8 * HOUR],
    ["an expired link", live(1, -HOUR), HOUR],
    ["a link that expires late", live(1, 365 * 24 * HOUR), 30 * 24 * HOUR],
  ])("the TTL is right for %s", (_, record, expected) => {
    expect(redirectTtlMs(record, 0)).toBe(expected);
  });
});
