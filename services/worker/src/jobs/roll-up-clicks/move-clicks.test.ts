import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { expect, it, onTestFinished } from "vitest";
import { addLinks, createTestDatabase, makeFail } from "../../testing/test-database.ts";
import { moveClicks } from "./move-clicks.ts";

it("clicks that cannot be moved do not hold up others", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await addLinks(database, { name: "link", count: 60 });
  await database.rows(`
    SELECT create_click_partitions('2026-11-20');
    INSERT INTO clicks (link_id, day, counts) SELECT id, '2026-11-20', '{"p": "0:1"}' FROM links
  `);
  await makeFail(database, "clicks", { link_id: 25 });
  const moved: number[] = [];
  await moveClicks(
    {
      db: database.db,
      clickHouse: { insert: async (_table, rows) => void moved.push(rows.length) },
      logger: createTestLogger().logger,
    },
    new AbortController().signal,
  );
  expect(moved).toEqual([19, 20, 1]);
  expect(await database.rows("SELECT min(link_id)::int, max(link_id)::int FROM clicks")).toEqual([
    { min: 20, max: 39 },
  ]);
  expect(await database.rows("SELECT key FROM failed_items")).toEqual([{ key: "clicks 20" }]);
});
