import { randomUUID } from "node:crypto";
import type { ClickBatch, LinkClicks, RowOutcomes } from "@tapthru/proto/clicks/batch";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { estimateVisitors } from "@tapthru/proto/clicks/visitor-sketch";
import type pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { addLinks, useDatabase } from "../testing/test-database.ts";
import { applyBatches } from "./apply-batches.ts";

const database = await useDatabase("clicks", "user_clicks", "click_batches", "app_openings");

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
  database.rows(
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
    await database.rows(`
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
    const [row] = await database.rows("SELECT visitors FROM clicks");
    expect(estimateVisitors([row?.visitors as Uint8Array])).toBe(3);
  });

  it("creates the partitions of months for which there are none", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1", { quarter: QUARTER + 96 * 400 }))]);
    expect(await stored()).toMatchObject([{ day: "2027-12-26" }]);
  });
});

describe("the clicks of all links of a user", () => {
  const ofUser = () =>
    database.rows("SELECT day::text, counts, people FROM user_clicks WHERE user_id = 1 ORDER BY day");

  beforeEach(async () => {
    await database.rows(`
      INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'ann', 'ann@x', 'uid');
      UPDATE links SET user_id = 1, claim_hash = NULL, expires_at = NULL WHERE short_code <> 'link3'
    `);
  });

  it("are merged into one row for each day in UTC", async () => {
    const counts = { p: 4, "c:DE": 4, b: 1 };
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link2", { counts }))]);
    await applyBatches(database.db, [batch(clicksOf("link2", { quarter: QUARTER + 1 }), clicksOf("link3"))]);
    expect(await ofUser()).toEqual([{ day: DAY, counts: { p: "40:5 41", "c:DE": "40:4", b: "40" }, people: 6 }]);
    expect(await database.rows("SELECT people FROM clicks ORDER BY link_id")).toEqual([
      { people: 1 },
      { people: 5 },
      { people: 1 },
    ]);
  });

  it("stay when a link is deleted, and have those of a claimed link from then on", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link3"))]);
    await database.rows("DELETE FROM links WHERE short_code = 'link1'");
    await database.rows(
      "UPDATE links SET user_id = 1, claim_hash = NULL, expires_at = NULL WHERE short_code = 'link3'",
    );
    await applyBatches(database.db, [batch(clicksOf("link3", { counts: { p: 7 } }))]);
    expect(await ofUser()).toMatchObject([{ people: 8 }]);
  });
});

async function deleteEach(client: pg.Client, codes: readonly string[]): Promise<void> {
  for (const code of codes) await client.query("DELETE FROM links WHERE short_code = $1", [code]);
}

describe("a deleted link", () => {
  it("is deleted with its clicks, including those that arrive later", async () => {
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("link2"))]);
    await database.rows("DELETE FROM links WHERE short_code = 'link1'");
    await applyBatches(database.db, [batch(clicksOf("link1"), clicksOf("unknown"))]);
    expect(await database.rows("SELECT short_code FROM clicks LEFT JOIN links ON id = link_id")).toEqual([
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
    expect(await database.rows("SELECT FROM clicks")).toEqual([]);
  });
});

const REPORTED: RowOutcomes = { day: DAY, row: "x-ios", app: "x", os: "ios", opened: 0, stayed: 0, unknown: 0 };

function outcomes(...rows: Partial<RowOutcomes>[]): ClickBatch {
  return { id: randomUUID(), links: [], outcomes: rows.map((row) => ({ ...REPORTED, ...row })) };
}

const openings = () =>
  database.rows(
    `SELECT day::text, row_id AS row, opened::int, stayed::int, unknown::int
     FROM app_openings ORDER BY day, row`,
  );

describe("outcomes of app opening", () => {
  const x = { day: DAY, row: "x-ios", opened: 0, stayed: 0, unknown: 0 };

  it("are added up by day and row", async () => {
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

  it("are added with the clicks of their batch, or neither", async () => {
    const links = [clicksOf("link1", { quarter: Number.NaN })];
    const failing = { ...outcomes({ opened: 1 }), links };
    await expect(applyBatches(database.db, [failing])).rejects.toThrow();
    expect(await openings()).toEqual([]);
    await applyBatches(database.db, [{ ...failing, links: [clicksOf("link1")] }]);
    expect([await openings(), await stored()]).toMatchObject([[{ opened: 1 }], [{}]]);
  });
});
