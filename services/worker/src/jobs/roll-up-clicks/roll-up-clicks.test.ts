import { randomUUID } from "node:crypto";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { applyBatches } from "../../clicks/apply-batches.ts";
import { addLinks, makeFail, NEVER, useDatabase } from "../../testing/test-database.ts";
import { rollUpClicks } from "./roll-up-clicks.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

const database = await useDatabase("clicks", "monthly_clicks");
const { rows } = database;

beforeEach(async () => {
  await addLinks(database, { name: "link", count: 300 });
});

async function addClicks(day: string, slot: number, visitors: number[] = []): Promise<void> {
  const quarter = firstQuarterOf(day) + slot;
  const links = Array.from({ length: 300 }, (_, i) => ({
    shortCode: `link${i + 1}`,
    quarter,
    counts: { p: 2, "c:DE": 2 },
    visitors,
  }));
  await applyBatches(database.db, [{ id: randomUUID(), links, outcomes: [] }]);
}

const rollUp = (now = NOW, signal = NEVER) =>
  rollUpClicks(
    {
      db: database.db,
      clickRetention: { dailyDays: 30, keptMonths: 12 },
      logger: createTestLogger().logger,
    },
    {},
    { signal },
    now,
  );

const monthly = () => rows("SELECT DISTINCT month::text, counts, visitors, people FROM monthly_clicks ORDER BY month");
const daily = () => rows("SELECT DISTINCT day::text FROM clicks ORDER BY day");

it("merges the days of each month that ended long enough ago, and no others", async () => {
  await addClicks("2026-04-01", 95, [65, 129]);
  await addClicks("2026-04-30", 0, [65]);
  await addClicks("2026-05-01", 1);
  await rollUp();
  expect(await monthly()).toEqual([
    {
      month: "2026-04-01",
      counts: { p: "95:2 2784:2", "c:DE": "95:2 2784:2" },
      visitors: { 1: 2, 30: 1 },
      people: { 1: 2, 30: 2 },
    },
  ]);
  expect(await rows("SELECT FROM monthly_clicks")).toHaveLength(300);
  expect(await daily()).toEqual([{ day: "2026-05-01" }]);
  expect(await rows("SELECT to_regclass('clicks_2026_04') AS name")).toEqual([{ name: null }]);
});

it("adds days that arrive after the month was rolled up", async () => {
  await addClicks("2026-04-02", 0, [65]);
  await rollUp();
  await addClicks("2026-04-02", 0, [65]);
  await rollUp();
  expect(await monthly()).toMatchObject([{ counts: { p: "96:4", "c:DE": "96:4" } }]);
});

it("a link whose days cannot be merged keeps them, and does not hold up others", async () => {
  for (const day of ["2026-03-01", "2026-04-01"]) await addClicks(day, 0);
  const [link] = await rows("SELECT id FROM links WHERE short_code = 'link7'");
  const id = Number(link?.id);
  const repair = await makeFail(database, "monthly_clicks", { link_id: id, month: "2026-03-01" });
  await rollUp();
  expect(await rows("SELECT link_id::int, day::text FROM clicks")).toEqual([{ link_id: id, day: "2026-03-01" }]);
  expect(await rows("SELECT key FROM failed_items")).toEqual([{ key: `2026-03-01 ${id}` }]);
  await repair();
  await rows("UPDATE failed_items SET retry_at = now()");
  await rollUp();
  expect(await daily()).toEqual([]);
  expect(await rows("SELECT FROM monthly_clicks")).toHaveLength(600);
  expect(await rows("SELECT FROM failed_items")).toEqual([]);
});

it("a partition that cannot be dropped does not hold up others", async () => {
  await addClicks("2025-04-01", 0);
  await addClicks("2026-04-01", 0);
  const reader = await database.connect();
  await reader.query("BEGIN; SELECT FROM clicks_2025_04");
  onTestFinished(async () => void (await reader.query("ROLLBACK")));
  await rollUp();
  expect(await rows("SELECT to_regclass('clicks_2026_04') AS name")).toEqual([{ name: null }]);
  expect(await rows("SELECT kind, key FROM failed_items")).toEqual([
    { kind: "drop-click-partitions", key: "clicks 2025-04-01" },
  ]);
});

it("deletes the clicks of links that were deleted with the daily rows", async () => {
  await addClicks("2026-04-02", 0);
  await rollUp();
  await rows("DELETE FROM links WHERE short_code <> 'link7'");
  expect(await rows("SELECT FROM monthly_clicks")).toHaveLength(1);
});

it("deletes months that are no longer kept", async () => {
  await addClicks("2025-05-31", 0);
  await addClicks("2025-06-01", 0);
  await rollUp();
  expect(await monthly()).toMatchObject([{ month: "2025-06-01" }]);
});

it("creates the partitions of this month and the next", async () => {
  await rollUp(Date.parse("2030-12-31T23:00:00Z"));
  const created = await rows("SELECT to_regclass('clicks_2030_12') AS a, to_regclass('monthly_clicks_2031_01') AS b");
  expect(created).toEqual([{ a: "clicks_2030_12", b: "monthly_clicks_2031_01" }]);
});
