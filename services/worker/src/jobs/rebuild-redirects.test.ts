import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { PROJECTION_KEY, redirectKey } from "@tapthru/proto/redirect/record";
import { beforeAll, expect, it } from "vitest";
import { relayBatch } from "../relay/relay.ts";
import { addLinks, makeUnreadable, NEVER, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { useRedis } from "../testing/test-redis.ts";
import { createProjection, markerKeys, type Projection } from "./projection.ts";
import { rebuildRedirects } from "./rebuild-redirects.ts";

const database = await useDatabase();
const redis = await useRedis();
let projection: Projection;

beforeAll(async () => {
  projection = createProjection(redis.redis);
});

const deps = () => ({
  db: database.db,
  redirectStore: redis.redirectStore,
  projection,
  logger: createTestLogger().logger,
});
const rebuild = (changes: object = {}, signal = NEVER) => workNow({ ...deps(), ...changes }, rebuildRedirects, signal);

const record = (shortCode: string) => redis.redirectStore.get(shortCode);

it("writes the record of every link", async () => {
  await addLinks(database, { name: "a", count: 3_100 });
  await addLinks(database, { name: "taken" });
  await database.rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken1'");
  await rebuild();
  for (const code of ["a1", "a3000", "a3001", "a3100"]) {
    expect(await record(code)).toMatchObject({ state: "live", revision: 1 });
  }
  expect(await record("taken1")).toMatchObject({ state: "gone", reason: "taken-down" });
  expect(await redis.redis.run((client) => client.dbsize())).toBe(3_102);
  expect(await projection.isLost()).toBe(false);
});

it("the keys of the records are no other keys, whatever codes users choose", async () => {
  await addLinks(database, { name: "a" });
  await rebuild();
  await relayBatch({ ...deps(), queuePagesOf: async () => {} });
  const keys = await redis.redis.run((client) => client.keys("*"));
  expect(keys.length).toBeGreaterThan(2);
  const operational = [...keys.filter((key) => key !== redirectKey("a1")), ...markerKeys(true)];
  expect(operational.filter((key) => key.startsWith(redirectKey("")))).toEqual([]);
});

it("writes the records of earlier codes", async () => {
  await addLinks(database, { name: "a", count: 3 });
  await database.rows(`
    INSERT INTO link_codes (short_code, link_id)
    SELECT code, id FROM links, unnest(ARRAY['a2', 'slug', 'second-slug']) code WHERE short_code = 'a2';
    UPDATE links SET short_code = 'slug', has_earlier_codes = true WHERE short_code = 'a2'
  `);
  await rebuild();
  const current = await record("slug");
  expect(current).toMatchObject({ state: "live" });
  for (const code of ["a2", "second-slug"]) expect(await record(code)).toEqual(current);
  expect(await record("a3")).not.toBeNull();
});

it("writes the other records if one was written by a newer release", async () => {
  await addLinks(database, { name: "a", count: 3 });
  await makeUnreadable(database, "a2");
  await rebuild();
  expect(await record("a1")).not.toBeNull();
  expect(await record("a2")).toBeNull();
  expect(await record("a3")).not.toBeNull();
  expect(await projection.isLost()).toBe(false);
});

it("repeats a rebuild if Redis is emptied during it, or its worker stops", async () => {
  await addLinks(database, { name: "a" });
  const stopping = new AbortController();
  const during = (work: () => unknown) => ({
    redirectStore: {
      ...redis.redirectStore,
      restoreMany: async (records: readonly CodeRecord[]) => {
        await redis.redirectStore.restoreMany(records);
        await work();
      },
    },
  });
  await rebuild(during(() => redis.flush()));
  expect([await record("a1"), await projection.isLost()]).toEqual([null, true]);
  const stop = () => {
    stopping.abort();
    throw new Error("stopping");
  };
  await expect(rebuild(during(stop), stopping.signal)).rejects.toThrow("stopping");
  expect(await projection.isLost()).toBe(true);
  await rebuild();
  expect(await record("a1")).not.toBeNull();
  expect(await projection.isLost()).toBe(false);
});

it("continues after the links that were written, if it failed", async () => {
  await addLinks(database, { name: "a", count: 3_100 });
  const written: number[] = [];
  const restoreMany = async (records: readonly CodeRecord[]) => {
    if (written.push(records.length) === 2) throw new Error("broken");
  };
  const failing = { redirectStore: { ...redis.redirectStore, restoreMany } };
  await rebuild(failing);
  await database.rows("DELETE FROM failed_items");
  await rebuild(failing);
  expect([written, await projection.isLost()]).toEqual([[3_000, 100, 100], false]);
});

it("does not repeat a complete rebuild", async () => {
  await rebuild();
  await addLinks(database, { name: "a" });
  await rebuild();
  expect(await record("a1")).toBeNull();
});

it.each(["complete", "complete earlier1", "complete later-99"])(
  "the rebuild %j of another release counts as lost",
  async (state) => {
    await rebuild();
    await redis.redis.run((client) => client.set(PROJECTION_KEY, state));
    expect(await projection.isLost()).toBe(true);
    await rebuild();
    expect(await projection.isLost()).toBe(false);
  },
);
