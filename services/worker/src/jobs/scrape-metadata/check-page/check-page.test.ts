import { beforeEach, expect, it } from "vitest";
import { bulkUpdateDeps, useDatabase } from "../../../testing/test-database.ts";
import type { ReadResult } from "../source.ts";
import { checkPage } from "./check-page.ts";

const database = await useDatabase();

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

it("links change once a product is gone, and once it returns", async () => {
  const changesBy = async (result: ReadResult) => {
    const app = bulkUpdateDeps(database);
    await checkPage(app, PAGE, { source: "page", result });
    await database.rows("UPDATE products SET suspected_at = suspected_at - interval '7 hours'");
    const rows = await database.rows("DELETE FROM bulk_updates WHERE kind = 'product-state' RETURNING payload");
    return rows.map(({ payload }) => payload);
  };
  const change = { asin: ASIN };
  expect(await changesBy(FOUND)).toEqual([]);
  expect(await changesBy(GONE)).toEqual([]);
  expect(await changesBy(GONE)).toEqual([change]);
  expect(await changesBy(GONE)).toEqual([]);
  expect(await changesBy(FOUND)).toEqual([change]);
});

it("an attempt has the time of the check only if the store responded", async () => {
  const wereTogether = async (result: ReadResult) => {
    await database.rows("UPDATE products SET checked_at = checked_at - interval '1 hour'");
    await checkPage(bulkUpdateDeps(database), PAGE, { source: "page", result });
    const [row] = await database.rows("SELECT attempted_at = checked_at AS together FROM products");
    return row?.together;
  };
  expect(await wereTogether(FOUND)).toBe(true);
  expect(await wereTogether({ kind: "nothing", outcome: "unreachable" })).toBe(false);
});
