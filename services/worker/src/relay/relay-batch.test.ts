import { insertLinkChanges } from "@tapthru/core/outbox";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { unreadableValues } from "@tapthru/core/platform/unreadable";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addLinks, makeUnreadable, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { RELAY_BATCH, type RelayApp, relayBatch } from "./relay-batch.ts";

const database = await useDatabase();
const redis = await useRedis();
let deps: RelayApp;
const log = createTestLogger();

beforeAll(async () => {
  deps = { db: database.db, redirectStore: redis.redirectStore, queuePagesOf: async () => {}, logger: log.logger };
});

const record = (shortCode: string) => redis.redirectStore.get(shortCode);

async function pending(): Promise<unknown[]> {
  const rows = await database.rows("SELECT short_code FROM link_changes WHERE projected_at IS NULL ORDER BY id");
  return rows.map((row) => row.short_code);
}

const change = (shortCode: string) =>
  database.rows(
    `WITH link AS (
       UPDATE links SET revision = revision + 1, title = 'Title ' || (revision + 1)
       WHERE short_code = $1 RETURNING short_code, revision
     )
     ${insertLinkChanges.sql}`,
    [shortCode],
  );

it("writes the record of a new link to Redis, with the metadata of its page", async () => {
  await database.rows(
    `INSERT INTO products (canonical_url, marketplace, product_id, title, image_url)
     VALUES ('https://www.amazon.com/dp/B08N5WRWNW', 'com', 'B08N5WRWNW', 'A lamp', 'https://i')`,
  );
  await addLinks(database, { name: "new", page: "https://www.amazon.com/dp/B08N5WRWNW" });
  await relayBatch(deps);
  expect(await record("new1")).toMatchObject({
    state: "live",
    revision: 1,
    webUrl: "https://amazon.com/dp/B08N5WRWNW",
    title: "A lamp",
    imageUrl: "https://i",
  });
  expect(await pending()).toEqual([]);
});

it.each(["deleted", "expired"])("leaves a tombstone for a link that is %s", async (reason) => {
  await addLinks(database, { name: "new" });
  await relayBatch(deps);
  await database.rows("DELETE FROM links");
  await database.rows("INSERT INTO retired_codes VALUES ('new1', $1, 2)", [reason]);
  await database.rows("INSERT INTO link_changes (short_code, revision) VALUES ('new1', 2)");
  await relayBatch(deps);
  expect(await record("new1")).toEqual({ state: "gone", revision: 2, reason });
});

describe("Redis is marked as up to date", () => {
  const mark = () => redis.redirectStore.timeSinceUpToDate();

  it("when the last rows were projected, and when there were none", async () => {
    await addLinks(database, { name: "new" });
    expect(await mark()).toBeNull();
    await relayBatch(deps);
    expect(await mark()).not.toBeNull();
    await redis.flush();
    await relayBatch(deps);
    expect(await mark()).not.toBeNull();
  });

  it("not while rows may be left", async () => {
    await addLinks(database, { name: "new", count: RELAY_BATCH });
    await relayBatch(deps);
    expect(await mark()).toBeNull();
  });

  it("not when the rows could not be projected", async () => {
    await addLinks(database, { name: "new" });
    const putMany = () => Promise.reject(new Error("refused"));
    const redirectStore = { ...redis.redirectStore, putMany };
    await expect(relayBatch({ ...deps, redirectStore })).rejects.toThrow("refused");
    expect(await mark()).toBeNull();
  });
});

it("does not miss a row whose transaction ends after that of a later row", async () => {
  const slow = await database.connect();
  await slow.query("BEGIN");
  await slow.query("INSERT INTO link_changes (short_code, revision) VALUES ('slow1', 1)");
  await addLinks(database, { name: "quick" });
  await relayBatch(deps);
  await slow.query("COMMIT");
  expect(await pending()).toEqual(["slow1"]);
  await relayBatch(deps);
  expect(await pending()).toEqual([]);
});

it("does nothing while another relay is active, and takes over when that one fails", async () => {
  await addLinks(database, { name: "new" });
  const [started, crash] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = relayBatch({
    ...deps,
    redirectStore: {
      ...redis.redirectStore,
      async putMany(records) {
        await redis.redirectStore.putMany(records);
        started.resolve();
        await crash.promise;
      },
    },
  });
  await started.promise;
  const putMany = vi.fn(redis.redirectStore.putMany);
  expect(await relayBatch({ ...deps, redirectStore: { ...redis.redirectStore, putMany } })).toBe(0);
  expect(putMany).not.toHaveBeenCalled();
  crash.reject(new Error("killed between Redis and COMMIT"));
  await expect(other).rejects.toThrow("killed");
  expect(await pending()).toEqual(["new1"]);
  await relayBatch({ ...deps, redirectStore: { ...redis.redirectStore, putMany } });
  expect(putMany).toHaveBeenCalledTimes(1);
  expect(await pending()).toEqual([]);
});

it("queues only the pages of committed changes", async () => {
  await addLinks(database, { name: "new", count: 2 });
  await change("new1");
  const queuePagesOf = vi.fn(async () => expect(await pending()).toEqual([]));
  await relayBatch({ ...deps, queuePagesOf });
  expect(queuePagesOf.mock.calls).toEqual([[["new1", "new2"]]]);
  await relayBatch({ ...deps, queuePagesOf });
  expect(queuePagesOf).toHaveBeenCalledTimes(1);
});

it("projects the other links if a record was written by a newer release, and deletes its stale record", async () => {
  const unreadableRows = async () =>
    (await unreadableValues.get()).values.find(({ labels }) => labels.source === "postgres")?.value ?? 0;
  await addLinks(database, { name: "newer", count: 2 });
  await relayBatch(deps);
  await makeUnreadable(database, "newer1");
  await Promise.all([change("newer1"), change("newer2")]);
  const before = await unreadableRows();
  await relayBatch(deps);
  expect(await pending()).toEqual([]);
  expect(await record("newer2")).toMatchObject({ revision: 2 });
  expect(await record("newer1")).toBeNull();
  expect(log.lines.at(-1)).toMatchObject({
    event: "unreadable_row",
    shortCode: "newer1",
    issues: [expect.stringContaining("routing.stores.0.marketplace: ")],
  });
  expect(await unreadableRows()).toBe(before + 1);
});
