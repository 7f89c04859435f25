import { beforeEach, expect, it } from "vitest";
import { BULK_UPDATE_BATCH } from "../../../relay/bulk-update-kinds.ts";
import { addLinks, bulkUpdate, bulkUpdateDeps, useDatabase } from "../../../testing/test-database.ts";
import { addUser } from "../../../testing/test-webhooks.ts";
import type { ReadResult } from "../source.ts";
import { checkPage } from "./check-page.ts";

const database = await useDatabase();
const deps = bulkUpdateDeps(database);

const ASIN = "B0ZZ1Y2X3W";
const PAGE = `https://www.amazon.de/dp/${ASIN}`;
const GONE = { kind: "nothing", outcome: "gone" } as const;
const FOUND = {
  kind: "read",
  metadata: { title: "A lamp", description: null, imageUrl: null, siteName: null },
} as const;

beforeEach(async () => {
  await database.rows("DELETE FROM products");
  await database.rows(
    `INSERT INTO products (canonical_url, marketplace, product_id) VALUES ('${PAGE}', 'de', '${ASIN}')`,
  );
});

it("links change once a page's state is known, once a product is gone, and once it returns", async () => {
  const changesBy = async (result: ReadResult) => {
    await checkPage(deps, PAGE, { source: "page", result });
    await database.rows("UPDATE products SET suspected_at = suspected_at - interval '7 hours'");
    const rows = await database.rows("DELETE FROM bulk_updates WHERE kind = 'product-state' RETURNING payload");
    return rows.map(({ payload }) => payload);
  };
  const change = { canonicalUrl: PAGE };
  expect(await changesBy(FOUND)).toEqual([change]);
  expect(await changesBy(FOUND)).toEqual([]);
  expect(await changesBy(GONE)).toEqual([]);
  expect(await changesBy(GONE)).toEqual([change]);
  expect(await changesBy(GONE)).toEqual([]);
  expect(await changesBy(FOUND)).toEqual([change]);
});

it("the health of a page's links is determined again in batches, by no statement of the check", async () => {
  const userId = await addUser(database);
  await addLinks(database, { name: "lamp", page: PAGE, count: BULK_UPDATE_BATCH + 1, expiresIn: null });
  await database.rows("UPDATE links SET user_id = $1, taken_down_at = CASE short_code WHEN 'lamp1' THEN now() END", [
    userId,
  ]);
  await database.rows("UPDATE link_health SET is_stale = false");
  const stale = async () => (await database.rows("SELECT FROM link_health WHERE is_stale")).length;
  await checkPage(deps, PAGE, { source: "page", result: FOUND });
  expect(await stale()).toBe(0);
  await bulkUpdate(database, "product-state");
  expect(await stale()).toBe(BULK_UPDATE_BATCH);
  await bulkUpdate(database, "product-state");
  expect(await stale()).toBe(BULK_UPDATE_BATCH + 1);
});

it("an attempt has the time of the check only if the store responded", async () => {
  const wereTogether = async (result: ReadResult) => {
    await database.rows("UPDATE products SET checked_at = checked_at - interval '1 hour'");
    await checkPage(deps, PAGE, { source: "page", result });
    const [row] = await database.rows("SELECT attempted_at = checked_at AS together FROM products");
    return row?.together;
  };
  expect(await wereTogether(FOUND)).toBe(true);
  expect(await wereTogether({ kind: "nothing", outcome: "unreachable" })).toBe(false);
});

it("the next check is a week later, or a day if a link to the page is new or clicked, and never due without a link", async () => {
  const days = async () => Math.floor((await checkPage(deps, PAGE, { source: "page", result: FOUND })) / 86_400_000);
  expect(await days()).toBe(Number.POSITIVE_INFINITY);
  const userId = await addUser(database);
  await addLinks(database, { name: "lamp", page: PAGE });
  expect(await days()).toBe(Number.POSITIVE_INFINITY);
  await database.rows("UPDATE links SET user_id = $1, expires_at = NULL", [userId]);
  expect(await days()).toBe(1);
  await database.rows("UPDATE links SET created_at = now() - interval '8 days'");
  expect(await days()).toBeGreaterThanOrEqual(7);
  await database.rows("INSERT INTO clicks (link_id, day, counts) SELECT id, current_date, '{}' FROM links");
  expect(await days()).toBe(1);
});
