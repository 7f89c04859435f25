import type { LINK_STATES } from "@tapthru/proto/rules/link-health";
import { beforeEach, expect, it } from "vitest";
import { bulkUpdate, bulkUpdateDeps, NEVER, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { productPage, useStandIn } from "../testing/test-source.ts";
import { addUser } from "../testing/test-webhooks.ts";
import { checkPage } from "./scrape-metadata/check-page/check-page.ts";
import { updateLinkHealth } from "./update-link-health.ts";

const PAGES_AT_ONCE = 4;

const CASES: [asin: string, query: string, state: (typeof LINK_STATES)[number]][] = [
  ["B0HGOOD", "?tag=me-20", "ok"],
  ["B0HSELL", "?tag=me-20", "ok"],
  ["B0HBLIP", "?tag=me-20", "ok"],
  ["B0HGONE", "?tag=me-20", "product-gone"],
  ["B0HNOST", "?tag=me-20", "out-of-stock"],
  ["B0HMOVE", "?tag=me-20", "redirected-elsewhere"],
  ["B0HAWAY", "?tag=me-20", "redirected-elsewhere"],
  ["B0HCAPT", "?tag=me-20", "unknown"],
  ["B0HBUSY", "?tag=me-20", "unknown"],
  ["B0HDENY", "?tag=me-20", "unknown"],
  ["B0HAUTH", "?tag=me-20", "unknown"],
  ["B0HCUTS", "?tag=me-20", "unknown"],
  ["B0HGOOD", "", "tag-missing"],
  ["B0HGOOD", "?th=1&tag=", "tag-missing"],
  ["B0HGOOD", "?tag=me", "tag-malformed"],
  ["B0HGOOD", "?tag=me-20&tag=you-20", "tag-malformed"],
  ["B0HCAPT", "", "tag-missing"],
  ["B0HGONE", "", "product-gone"],
];

const database = await useDatabase();
const { source } = await useStandIn();
let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
});

/** Adds a link for each case, to a product of its own. @returns the state that each must get, by its short code */
async function addLinks(): Promise<Map<string, string>> {
  const links = CASES.map(([asin, query, state], at) => {
    const page = `https://www.amazon.com/dp/${asin}${String(at).padStart(3, "0")}`;
    return { code: `link-${at}`, page, url: page + query, state };
  });
  await database.rows(
    `INSERT INTO products (canonical_url, marketplace, product_id)
     SELECT page, 'com', right(page, 10) FROM unnest($1::text[]) AS page`,
    [links.map(({ page }) => page)],
  );
  await database.rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, canonical_url, user_id)
     SELECT code, url, url, 'https://t.example/redirect?product_id=B0HGOOD000', 'com', page, $4
     FROM unnest($1::text[], $2::text[], $3::text[]) AS link (code, url, page)`,
    [links.map(({ code }) => code), links.map(({ url }) => url), links.map(({ page }) => page), userId],
  );
  return new Map(links.map(({ code, state }) => [code, state]));
}

async function checkAllPages(): Promise<void> {
  const deps = bulkUpdateDeps(database);
  const pages = await database.rows("SELECT product_id AS id FROM products");
  const next = pages.values();
  const work = async () => {
    for (const { id } of next) {
      const page = productPage(String(id));
      const result = await source.read(page, NEVER);
      if (result.kind === "postponed") throw new Error("the source has no pauses");
      await checkPage(deps, page.canonicalUrl, { source: "page", result });
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
  while (await bulkUpdate(database, "product-state"));
  await workNow(deps, updateLinkHealth);
}

async function states(): Promise<Map<string, string>> {
  const rows = await database.rows(
    "SELECT short_code AS code, state FROM link_health JOIN links ON links.id = link_id",
  );
  return new Map(rows.map(({ code, state }) => [String(code), String(state)]));
}

const pass = (time: string) => database.rows(`UPDATE products SET suspected_at = suspected_at - interval '${time}'`);

it("links get the state of each case by two checks some time apart, and no other state before", async () => {
  const expected = await addLinks();
  await workNow(bulkUpdateDeps(database), updateLinkHealth);
  await checkAllPages();
  for (const [code, state] of await states()) {
    // A tag does not depend on the page.
    if (!state.startsWith("tag-")) expect([code, ["ok", "unknown"].includes(state)]).toEqual([code, true]);
  }
  await pass("7 hours");
  await checkAllPages();
  expect(await states()).toEqual(expected);
}, 300_000);
