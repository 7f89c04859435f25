import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { PROJECTION_KEY, redirectKey } from "@tapthru/proto/redirect/record";
import { beforeAll, describe, expect, it } from "vitest";
import { relayBatch } from "../relay/relay-batch.ts";
import { addLinks, makeUnreadable, NEVER, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { createProjection, markerKeys, type Projection } from "./projection.ts";
import { checkRedirects, rebuildRedirects } from "./rebuild-redirects.ts";

/** Number of links that one job processes before it queues the next job. */
const LINKS_PER_JOB = 50_000;

const database = await useDatabase();
const redis = await useRedis();
let projection: Projection;

beforeAll(async () => {
  projection = createProjection(redis.redis);
});

const deps = () => ({
  db: database.db,
  redirectStore: redis.redirectStore,
  jobs: redis.jobs,
  projection,
  logger: createTestLogger().logger,
});
const rebuild = (afterId = 0, signal = NEVER) =>
  rebuildRedirects(deps(), { afterId }, { requestId: "request-0001", signal });
const check = () => checkRedirects(deps());

const record = (shortCode: string) => redis.redirectStore.get(shortCode);
const queued = () => redis.waiting("rebuild-redirects");

async function idOf(shortCode: string): Promise<number> {
  const [row] = await database.rows("SELECT id::int FROM links WHERE short_code = $1", [shortCode]);
  return Number(row?.id);
}

it("writes the record of every link", async () => {
  await addLinks(database, { name: "a", count: 5_100 });
  await addLinks(database, { name: "taken" });
  await database.rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken1'");
  await rebuild();
  for (const code of ["a1", "a5000", "a5001", "a5100"]) {
    expect(await record(code)).toMatchObject({ state: "live", revision: 1 });
  }
  expect(await record("taken1")).toMatchObject({ state: "gone", reason: "taken-down" });
  expect(await redis.redis.run((client) => client.dbsize())).toBe(5_102);
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

it("writes a batch and queues the next, until none is left", async () => {
  await addLinks(database, { name: "a", count: LINKS_PER_JOB + 1 });
  await rebuild();
  const afterId = await idOf(`a${LINKS_PER_JOB}`);
  expect(await queued()).toEqual([{ afterId }]);
  expect(await record(`a${LINKS_PER_JOB}`)).not.toBeNull();
  expect(await record(`a${LINKS_PER_JOB + 1}`)).toBeNull();
  await redis.flush();
  await projection.beginRebuild();
  await rebuild(afterId);
  expect(await record(`a${LINKS_PER_JOB + 1}`)).not.toBeNull();
  expect(await queued()).toEqual([]);
});

it("is not complete when it is aborted", async () => {
  await addLinks(database, { name: "a" });
  await expect(rebuild(0, AbortSignal.abort(new Error("stopping")))).rejects.toThrow("stopping");
  expect(await record("a1")).toBeNull();
});

describe("when Redis is emptied", () => {
  it("before another batch, it starts again", async () => {
    await addLinks(database, { name: "a", count: 3 });
    await rebuild(await idOf("a2"));
    expect(await queued()).toEqual([{ afterId: 0 }]);
    expect(await record("a3")).toBeNull();
  });

  it("during the last batch, it does not count as complete", async () => {
    await addLinks(database, { name: "a" });
    const emptied = { ...deps(), redirectStore: { ...redis.redirectStore, restoreMany: () => redis.flush() } };
    const rebuilding = rebuildRedirects(emptied, { afterId: 0 }, { requestId: "request-0001", signal: NEVER });
    await expect(rebuilding).rejects.toThrow("emptied");
    expect(await projection.isLost()).toBe(true);
  });

  it("a rebuild is queued, once", async () => {
    await addLinks(database, { name: "a" });
    await rebuild();
    await check();
    expect(await queued()).toEqual([]);
    await redis.flush();
    await check();
    await check();
    expect(await queued()).toEqual([{ afterId: 0 }]);
  });

  it("no rebuild is queued while another one is running", async () => {
    await projection.beginRebuild();
    await check();
    expect(await queued()).toEqual([]);
  });
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

it("counts as lost after a while without progress", async () => {
  await projection.beginRebuild();
  expect(await redis.redis.run((client) => client.pttl(PROJECTION_KEY))).toBeGreaterThan(0);
  await rebuild();
  expect(await redis.redis.run((client) => client.pttl(PROJECTION_KEY))).toBe(-1);
});
