import { randomUUID } from "node:crypto";
import type { Component } from "@tapthru/core/platform/lifecycle";
import {
  PostgresLockedError,
  PostgresTimeoutError,
  PostgresUnavailableError,
} from "@tapthru/core/platform/postgres/errors";
import { addBatch, encodeBatch, readEntries } from "@tapthru/core/platform/redis/click-stream";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import {
  CLICK_STREAMS,
  type ClickBatch,
  type ClickStream,
  type LinkClicks,
  QUARANTINED_CLICKS,
  type RowOutcomes,
} from "@tapthru/proto/clicks/batch";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { estimateVisitors } from "@tapthru/proto/clicks/visitor-sketch";
import type pg from "pg";
import { sql } from "slonik";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { addLinks, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { applyBatches } from "./apply-batches.ts";
import { createClickApplier } from "./click-applier.ts";

const database = await useDatabase("clicks", "user_clicks", "click_batches", "app_openings");
const { rows } = database;

beforeEach(async () => {
  await addLinks(database, { name: "link", count: 3 });
});

const DAY = "2026-11-21";
const QUARTER = firstQuarterOf(DAY) + 40;

function clicksOf(shortCode: string, fields: Partial<LinkClicks> = {}): LinkClicks {
  return { shortCode, quarter: QUARTER, counts: { p: 1 }, visitors: [], ...fields };
}

function batch(...links: LinkClicks[]): ClickBatch {
  return { id: randomUUID(), links, outcomes: [] };
}

const stored = () =>
  rows(
    `SELECT short_code AS code, day::text, counts FROM clicks JOIN links ON id = link_id
     ORDER BY code, day`,
  );

describe("applyBatches", () => {
  it("merges batches into one row for each link and day in UTC", async () => {
    await applyBatches(database.db, [
      batch(clicksOf("link1"), clicksOf("link2", { counts: { v: 2 } })),
      batch(clicksOf("link1", { counts: { p: 4, "c:DE": 4 } })),
    ]);
    await applyBatches(database.db, [
      batch(clicksOf("link1", { quarter: QUARTER + 1 }), clicksOf("link1", { quarter: QUARTER + 56 })),
    ]);
    expect(await stored()).toEqual([
      { code: "link1", day: DAY, counts: { p: "40:5 41", "c:DE": "40:4" } },
      { code: "link1", day: "2026-11-22", counts: { p: "0" } },
      { code: "link2", day: DAY, counts: { v: "40:2" } },
    ]);
  });

  it("applies a batch once, even if it arrives twice at once or in two transactions", async () => {
    const repeated = batch(clicksOf("link1"));
    await applyBatches(database.db, [repeated, repeated]);
    await Promise.all([1, 2, 3].map(() => applyBatches(database.db, [repeated])));
    expect(await stored()).toEqual([{ code: "link1", day: DAY, counts: { p: "40" } }]);
  });

  it("loses nothing if workers apply batches of the same links at once", async () => {
    const codes = ["link1", "link2", "link3"];
    const batches = Array.from({ length: 30 }, (_, i) =>
      batch(...(i % 2 ? codes : codes.toReversed()).map((code) => clicksOf(code))),
    );
    await Promise.all(batches.map((each) => applyBatches(database.db, [each])));
    expect((await stored()).map(({ counts }) => counts)).toEqual(codes.map(() => ({ p: "40:30" })));
  });

  it("counts visits of an earlier code for its link", async () => {
    await rows(`
      INSERT INTO link_codes (short_code, link_id)
      SELECT code, id FROM links, unnest(ARRAY['link1', 'a-slug']) code WHERE short_code = 'link1';
      UPDATE links SET short_code = 'a-slug', has_earlier_codes = true WHERE short_code = 'link1'
    `);
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("a-slug"))]);
    await applyBatches(database.db, [batch(clicksOf("link1"))]);
    expect(await stored()).toEqual([{ code: "a-slug", day: DAY, counts: { p: "40:3" } }]);
  });

  it("merges visitors", async () => {
    const visitors = [64 + 1, 128 + 1, 192 + 1];
    await applyBatches(database.db, [batch(clicksOf("link1", { visitors: visitors.slice(0, 2) }))]);
    await applyBatches(database.db, [batch(clicksOf("link1", { visitors: visitors.slice(1) }))]);
    const [row] = await rows("SELECT visitors FROM clicks");
    expect(estimateVisitors(row?.visitors as Uint8Array)).toBe(3);
  });

  it.skipIf(process.env.FAKETIME)("says that another transaction has locked a link", async () => {
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
    const other = database.db.transaction(async (transaction) => {
      await transaction.query(sql.type(z.object({}))`SELECT FROM all_links WHERE short_code = 'link1' FOR UPDATE`);
      lock();
      await done;
    });
    await isLocked;
    const applied = applyBatches(database.db, [batch(clicksOf("link1"))]);
    await expect(applied.finally(end)).rejects.toBeInstanceOf(PostgresLockedError);
    await other;
  });

  it("creates the partitions of months for which there are none", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1", { quarter: QUARTER + 96 * 400 }))]);
    expect(await stored()).toMatchObject([{ day: "2027-12-26" }]);
  });
});

describe("the clicks of all links of a user", () => {
  const ofUser = () => rows("SELECT day::text, counts, people FROM user_clicks WHERE user_id = 1 ORDER BY day");

  beforeEach(async () => {
    await rows(`
      INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'ann', 'ann@x', 'uid');
      UPDATE links SET user_id = 1, claim_hash = NULL, expires_at = NULL WHERE short_code <> 'link3'
    `);
  });

  it("adds all clicks if workers apply batches of different links of the same users at once", async () => {
    await addLinks(database, { name: "other", count: 2 });
    await rows(`
      INSERT INTO users (id, username, email, firebase_uid) VALUES (2, 'bob', 'bob@x', 'bob');
      UPDATE links SET user_id = 2, claim_hash = NULL, expires_at = NULL WHERE short_code LIKE 'other%'
    `);
    const batches = Array.from({ length: 30 }, (_, i) =>
      i % 2 ? batch(clicksOf("link1"), clicksOf("other1")) : batch(clicksOf("other2"), clicksOf("link2")),
    );
    await Promise.all(batches.map((each) => applyBatches(database.db, [each])));
    expect(await rows("SELECT user_id, people FROM user_clicks ORDER BY user_id")).toEqual([
      { user_id: 1, people: 30 },
      { user_id: 2, people: 30 },
    ]);
  });

  it("merges clicks into one row for each day in UTC", async () => {
    const counts = { p: 4, "c:DE": 4, b: 1 };
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link2", { counts }))]);
    await applyBatches(database.db, [batch(clicksOf("link2", { quarter: QUARTER + 1 }), clicksOf("link3"))]);
    expect(await ofUser()).toEqual([{ day: DAY, counts: { p: "40:5 41", "c:DE": "40:4", b: "40" }, people: 6 }]);
    expect(await rows("SELECT people, user_id FROM clicks ORDER BY link_id")).toEqual([
      { people: 1, user_id: 1 },
      { people: 5, user_id: 1 },
      { people: 1, user_id: null },
    ]);
  });

  it("keeps a user's clicks when a link is deleted, and adds those of a claimed link from then on", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link3"))]);
    await rows("DELETE FROM links WHERE short_code = 'link1'");
    await rows("UPDATE links SET user_id = 1, claim_hash = NULL, expires_at = NULL WHERE short_code = 'link3'");
    await applyBatches(database.db, [batch(clicksOf("link3", { counts: { p: 7 } }))]);
    expect(await ofUser()).toMatchObject([{ people: 8 }]);
  });
});

async function deleteEach(client: pg.Client, codes: readonly string[]): Promise<void> {
  for (const code of codes) await client.query("DELETE FROM links WHERE short_code = $1", [code]);
}

describe("a deleted link", () => {
  it("deletes a link with its clicks, including those that arrive later", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link2"))]);
    await rows("DELETE FROM links WHERE short_code = 'link1'");
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("unknown"))]);
    expect(await rows("SELECT short_code FROM clicks LEFT JOIN links ON id = link_id")).toEqual([
      { short_code: "link2" },
    ]);
  });

  it("leaves no clicks that are applied at the same time", async () => {
    await addLinks(database, { name: "racing", count: 40 });
    const codes = Array.from({ length: 40 }, (_, i) => `racing${i + 1}`);
    const other = await database.connect();
    await Promise.all([
      ...codes.map((code) => applyBatches(database.db, [batch(clicksOf(code))])),
      deleteEach(other, codes),
    ]);
    expect(await rows("SELECT FROM clicks")).toEqual([]);
  });
});

const REPORTED: RowOutcomes = { day: DAY, row: "x-ios", app: "x", os: "ios", opened: 0, stayed: 0, unknown: 0 };

function outcomes(...rows: Partial<RowOutcomes>[]): ClickBatch {
  return { id: randomUUID(), links: [], outcomes: rows.map((row) => ({ ...REPORTED, ...row })) };
}

const openings = () =>
  rows(
    `SELECT day::text, row_id AS row, opened::int, stayed::int, unknown::int
     FROM app_openings ORDER BY day, row`,
  );

describe("outcomes of app opening", () => {
  const x = { day: DAY, row: "x-ios", opened: 0, stayed: 0, unknown: 0 };

  it("adds outcomes up by day and row", async () => {
    await applyBatches(database.db, [
      outcomes({ opened: 2, stayed: 1 }),
      outcomes({ opened: 3 }, { row: "line-ios", app: "line", unknown: 1 }),
    ]);
    await applyBatches(database.db, [outcomes({ stayed: 4 }, { day: "2026-11-22", opened: 1 })]);
    expect(await openings()).toEqual([
      { ...x, row: "line-ios", unknown: 1 },
      { ...x, opened: 5, stayed: 5 },
      { ...x, day: "2026-11-22", opened: 1 },
    ]);
  });

  it("adds outcomes with the clicks of their batch, or neither", async () => {
    const links = [clicksOf("link1", { quarter: Number.NaN })];
    const failing = { ...outcomes({ opened: 1 }), links };
    await expect(applyBatches(database.db, [failing])).rejects.toThrow();
    expect(await openings()).toEqual([]);
    await applyBatches(database.db, [{ ...failing, links: [clicksOf("link1")] }]);
    expect([await openings(), await stored()]).toMatchObject([[{ opened: 1 }], [{}]]);
  });
});

const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };

const redis = await useRedis();
const running: Component[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((applier) => applier.stop?.()));
});

async function start(apply = applyBatches) {
  const { logger, lines } = createTestLogger();
  const applier = createClickApplier({ db: database.db, queue: redis.redis, setClickLag: () => {}, logger }, apply);
  running.push(applier);
  await applier.start?.();
  return lines;
}

const [stream] = CLICK_STREAMS as [ClickStream];
const newBatch = () => batch(clicksOf("link1"));

const applyUnless =
  (check: (batches: readonly ClickBatch[]) => void): typeof applyBatches =>
  async (db, batches) => {
    check(batches);
    return applyBatches(db, batches);
  };

async function send(...batches: ClickBatch[]): Promise<void> {
  for (const each of batches) await addBatch(redis.redis, stream, await encodeBatch(each));
}

async function people(): Promise<number> {
  const found = await rows("SELECT counts ->> 'p' AS people FROM clicks");
  return found.reduce((sum, { people: text }) => sum + Number(String(text).split(":")[1] ?? 1), 0);
}

const isCounted = (count: number) => vi.waitFor(async () => expect(await people()).toBe(count), WAIT_OPTIONS);
async function quarantine(): Promise<(string | undefined)[]> {
  const entries = await redis.redis.run((client) => client.xrange(QUARANTINED_CLICKS, "-", "+"));
  return entries.map(([, fields]) => fields[1]);
}

const isEmpty = () =>
  vi.waitFor(async () => expect(await redis.redis.run((client) => client.xlen(stream.batches))).toBe(0), WAIT_OPTIONS);

it("applies what redirects sent before and after its start, and empties the queue", async () => {
  await send(...Array.from({ length: 50 }, newBatch));
  await start();
  await isCounted(50);
  for (const each of CLICK_STREAMS) await addBatch(redis.redis, each, await encodeBatch(newBatch()));
  await isCounted(54);
  await isEmpty();
});

it("applies the batches of a worker that died after reading them", async () => {
  await send(newBatch(), newBatch());
  await redis.redis.run((client) => readEntries(client, stream, 10));
  await start();
  await isCounted(2);
  await isEmpty();
});

it("keeps batches while Postgres is unavailable, and applies them afterwards", async () => {
  let isAvailable = false;
  await send(newBatch(), newBatch());
  await start(
    applyUnless(() => {
      if (!isAvailable) throw new PostgresUnavailableError("stopped");
    }),
  );
  await send(newBatch());
  expect(await redis.redis.run((client) => client.xlen(stream.batches))).toBe(3);
  isAvailable = true;
  await isCounted(3);
  await isEmpty();
});

it("continues after Redis has lost its data, and sets entries aside that are not batches", async () => {
  const lines = await start();
  await send(newBatch());
  await isCounted(1);
  await redis.flush();
  const entryId = await redis.redis.run((client) => client.xadd(stream.batches, "*", "batch", "x", "clicks", "1"));
  await send(newBatch());
  await isCounted(2);
  await isEmpty();
  expect(lines).toContainEqual(expect.objectContaining({ event: "click_batch_invalid", entryId }));
  expect(await quarantine()).toEqual(["x"]);
});

it("sets an entry that is not a batch aside once, and no batch, while Postgres fails", async () => {
  let isBroken = true;
  const apply = applyUnless(() => {
    if (isBroken) throw new Error("no partition");
  });
  await redis.redis.run((client) => client.xadd(stream.batches, "*", "batch", "x", "clicks", "1"));
  await send(newBatch(), newBatch());
  const lines = await start(apply);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(5), WAIT_OPTIONS);
  expect(await quarantine()).toEqual(["x"]);
  isBroken = false;
  await isCounted(2);
  await isEmpty();
  expect(await quarantine()).toEqual(["x"]);
});

it("sets a batch aside that Postgres cannot apply, as soon as it applies another one", async () => {
  const poison = newBatch();
  const apply = applyUnless((batches) => {
    if (batches.some(({ id }) => id === poison.id)) throw new Error("out of range");
  });
  await send(poison);
  const lines = await start(apply);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(3), WAIT_OPTIONS);
  expect(await quarantine()).toEqual([]);
  await send(newBatch());
  await isCounted(1);
  await isEmpty();
  expect(await quarantine()).toEqual([(await encodeBatch(poison)).text]);
  expect(lines.at(-1)).toMatchObject({
    event: "click_batch_invalid",
    entryId: expect.any(String),
    issues: ["Error: out of range"],
  });
});

it("a batch that always takes too long does not delay others, and is quarantined after six attempts", async () => {
  const poison = newBatch();
  let attempts = 0;
  const apply = applyUnless((batches) => {
    if (batches.every(({ id }) => id !== poison.id)) return;
    attempts++;
    throw new PostgresTimeoutError("too long");
  });
  await send(poison, newBatch());
  await start(apply);
  await isCounted(1);
  await isEmpty();
  expect(await quarantine()).toEqual([(await encodeBatch(poison)).text]);
  expect(attempts).toBe(7);
});

it("a batch of a link that another transaction has locked is counted once the lock is gone, and never quarantined", async () => {
  const locked = newBatch();
  let attempts = 0;
  const apply = applyUnless((batches) => {
    if (batches.every(({ id }) => id !== locked.id) || attempts === 12) return;
    attempts++;
    throw new PostgresLockedError("locked");
  });
  await send(locked, newBatch());
  await start(apply);
  await isCounted(2);
  await isEmpty();
  expect([attempts, await quarantine()]).toEqual([12, []]);
});

it("stores the time until which clicks are complete", async () => {
  await rows("UPDATE click_progress SET complete_until = 'epoch'");
  await start();
  await vi.waitFor(async () => {
    const [row] = await rows(
      "SELECT complete_until > now() - interval '10 seconds' AND complete_until < now() AS is_recent FROM click_progress",
    );
    expect(row).toEqual({ is_recent: true });
  }, WAIT_OPTIONS);
});

it("drops the oldest batches when the queue is full", async () => {
  const [first, second, third] = [newBatch(), newBatch(), newBatch()];
  const size = (await encodeBatch(first)).text.length;
  const add = async (each: ClickBatch) =>
    addBatch(redis.redis, stream, await encodeBatch(each), Math.round(size * 2.5));
  expect([await add(first), await add(second), await add(third)]).toEqual([0, 0, 1]);
  expect(await redis.redis.run((client) => client.xlen(stream.batches))).toBe(2);
});
