import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { linkAddresses } from "@tapthru/core/links/link-addresses";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { beforeEach, expect, it } from "vitest";
import { bulkUpdate, useDatabase } from "../testing/test-database.ts";
import { BULK_UPDATE_BATCH } from "./bulk-update-kinds.ts";

const database = await useDatabase();
const { rows } = database;

const OLD = "B0ZZ1Y2X3W";
const NEW = "B0ZZ1Y2X3V";
const pageOf = (asin: string, query = "", store = "de") => `https://www.amazon.${store}/dp/${asin}${query}`;

beforeEach(async () => {
  await rows("INSERT INTO users (id, username, email, firebase_uid) SELECT n, n, n, n FROM generate_series(1, 2) AS n");
  await rows("DELETE FROM channels");
  await rows("INSERT INTO channels (id, user_id, name, name_key, is_default) VALUES (1, 1, 'Main', 'main', true)");
  await rows("INSERT INTO channel_tags (channel_id, user_id, marketplace, tag) VALUES (1, 1, 'de', 'main-21')");
});

async function addLink(code: string, url: string, columns: Record<string, unknown> = {}): Promise<void> {
  const page = parseStorePage(url);
  if (page === null) throw new Error(url);
  const { page: metadata, pageTitle: _, ...addresses } = linkAddresses("https://t.example", url, page);
  const row = { short_code: code, user_id: 1, canonical_url: metadata?.canonicalUrl, ...snaked(addresses), ...columns };
  const names = Object.keys(row);
  await rows(
    `INSERT INTO links (${names.join()}) VALUES (${names.map((_name, at) => `$${at + 1}`).join()})`,
    Object.values(row),
  );
}

const snaked = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const urls = async () =>
  Object.fromEntries(
    (await rows("SELECT short_code, link_url(links, original_url) AS original_url FROM links ORDER BY id")).map(
      (row) => [row.short_code, row.original_url],
    ),
  );

/** @returns the time, by which it can be undone */
async function change(from = OLD, to = NEW, undoOf?: string): Promise<string> {
  const [row] = await rows("SELECT utc_text(clock_timestamp()) AS now");
  const changedAt = String(row?.now);
  const products = { userId: 1, marketplace: "de", from, to, changedAt };
  await addBulkUpdate(database.db, "product", { ...products, ...(undoOf && { undoOf }) });
  return changedAt;
}

const undo = (undoOf: string) => change(NEW, OLD, undoOf);

async function settle(): Promise<void> {
  while (await bulkUpdate(database, "product"));
}

/** As their user changes the destination of all links. */
async function give(url: string): Promise<void> {
  const page = parseStorePage(url);
  await rows(
    "INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, asin) SELECT id, user_id, original_url, web_url, marketplace, asin FROM links",
  );
  await rows("UPDATE links SET original_url = $1, web_url = $1, asin = $2", [
    url,
    page?.kind === "product" ? page.asin : null,
  ]);
}

it("gives all links of a user to a product of a store another one, and no others", async () => {
  await addLink("own", pageOf(OLD, "?tag=own-21#reviews"));
  await addLink("channel", `https://www.amazon.de/Mug/dp/${OLD}/ref=x?tag=`, {
    channel_id: 1,
    follows_channel: true,
  });
  await addLink("other-user", pageOf(OLD), { user_id: 2 });
  await addLink("other-store", pageOf(OLD, "", "fr"));
  await addLink("taken-down", pageOf(OLD), { taken_down_at: new Date() });
  const before = await urls();
  await change();
  await settle();
  expect(await urls()).toEqual({
    ...before,
    own: pageOf(NEW, "?tag=own-21"),
    channel: pageOf(NEW, "?tag=main-21"),
  });
  expect(
    await rows(
      `SELECT short_code, asin, canonical_url, follows_channel, revision FROM links WHERE revision > 1 ORDER BY id`,
    ),
  ).toEqual([
    {
      short_code: "own",
      asin: NEW,
      canonical_url: pageOf(NEW),
      follows_channel: false,
      revision: 2,
    },
    {
      short_code: "channel",
      asin: NEW,
      canonical_url: pageOf(NEW),
      follows_channel: true,
      revision: 2,
    },
  ]);
  expect(await rows("SELECT short_code FROM link_changes WHERE revision = 2 ORDER BY id")).toHaveLength(2);
  expect(await rows("SELECT FROM bulk_updates")).toEqual([]);
});

it("adds the product whose page is read next", async () => {
  await addLink("own", pageOf(OLD));
  await change();
  await settle();
  expect(await rows("SELECT canonical_url, marketplace, product_id FROM products")).toEqual([
    { canonical_url: pageOf(NEW), marketplace: "de", product_id: NEW },
  ]);
});

it("undone, it gives the links that it changed their addresses back, byte for byte, with the tag of now", async () => {
  const address = `https://www.amazon.de/Mug/dp/${OLD}/ref=x?th=1&tag=`;
  await addLink("own", `${address}own-21#reviews`);
  await addLink("channel", address, { channel_id: 1, follows_channel: true });
  await addLink("had-it", pageOf(NEW));
  await addLink("moved-on", pageOf(OLD));
  const changedAt = await change();
  await settle();
  await rows("UPDATE channel_tags SET tag = 'next-21'");
  await rows(`UPDATE links SET web_url = 'https://www.amazon.de/dp/B000000009', original_url = 'https://www.amazon.de/dp/B000000009',
    asin = 'B000000009', canonical_url = 'https://www.amazon.de/dp/B000000009' WHERE short_code = 'moved-on'`);
  await undo(changedAt);
  await settle();
  expect(await urls()).toEqual({
    own: `${address}own-21#reviews`,
    channel: `${address}next-21`,
    "had-it": pageOf(NEW),
    "moved-on": "https://www.amazon.de/dp/B000000009",
  });
  expect(await rows("SELECT DISTINCT asin, canonical_url FROM links WHERE short_code IN ('own', 'channel')")).toEqual([
    { asin: OLD, canonical_url: pageOf(OLD) },
  ]);
});

it.each([
  ["another product and back", [pageOf("B000000009"), pageOf(NEW)], pageOf(NEW)],
  ["another product", [pageOf("B000000009")], pageOf("B000000009")],
  ["a page that is no product and back", ["https://www.amazon.de/s?k=mug", pageOf(NEW)], pageOf(NEW)],
  ["the product before, and this one again", [pageOf(OLD), pageOf(NEW)], pageOf(NEW)],
  ["another tag", [pageOf(NEW, "?tag=other-21")], pageOf(OLD, "?tag=other-21")],
  ["nothing", [], pageOf(OLD)],
])("undone, it leaves a link as it is whose user gave it since: %s", async (_case, given, wanted) => {
  await addLink("own", pageOf(OLD));
  const changedAt = await change();
  await settle();
  for (const url of given) await give(url);
  await undo(changedAt);
  await settle();
  expect(await urls()).toEqual({ own: wanted });
});

it("undone, it leaves a link as it is that was added since, and to which its user gave the same product", async () => {
  const changedAt = await change();
  await settle();
  await addLink("added", pageOf(OLD));
  await give(pageOf(NEW));
  await undo(changedAt);
  await settle();
  expect(await urls()).toEqual({ added: pageOf(NEW) });
});

it("undone, and that undone too, it gives links its product again", async () => {
  await addLink("own", pageOf(OLD, "?th=1"));
  await addLink("had-it", pageOf(NEW));
  const changedAt = await change();
  await settle();
  const undoneAt = await undo(changedAt);
  await settle();
  await change(OLD, NEW, undoneAt);
  await settle();
  expect(await urls()).toEqual({ own: pageOf(NEW, "?th=1"), "had-it": pageOf(NEW) });
});

it("keeps the latest 50 destinations of a link", async () => {
  await addLink("own", pageOf(OLD));
  await rows(`INSERT INTO link_destinations (link_id, user_id, original_url, web_url)
    SELECT id, user_id, 'x' || n, 'x' || n FROM links, generate_series(1, 50) AS n`);
  await change();
  await settle();
  const kept = await rows("SELECT web_url FROM link_destinations ORDER BY id");
  expect([kept.length, kept[0], kept[49]]).toEqual([50, { web_url: "x2" }, { web_url: pageOf(OLD) }]);
});

it("changes links in batches, and undoes them after that, also with two relays", async () => {
  await rows(`INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, asin, canonical_url, user_id)
    SELECT 'many' || n, url, url, 'x?product_id=x', 'de', '${OLD}', url, 1
    FROM generate_series(1, ${BULK_UPDATE_BATCH + 1}) AS n, (SELECT '${pageOf(OLD)}' AS url) AS one`);
  const changedAt = await change();
  expect(await bulkUpdate(database, "product")).toBe(true);
  expect(await rows("SELECT DISTINCT asin FROM links")).toHaveLength(2);
  await undo(changedAt);
  await Promise.all([settle(), settle()]);
  await settle();
  expect(await rows("SELECT DISTINCT asin, revision FROM links")).toEqual([{ asin: OLD, revision: 3 }]);
});

it("a quarantined change does not delay later ones of the user", async () => {
  const other = "B000000009";
  await addLink("own", pageOf(other));
  await change();
  await rows(`INSERT INTO failed_items (kind, key, error, retry_at)
    SELECT 'bulk-updates', id, '', now() + interval '1 minute' FROM bulk_updates`);
  await change(other, OLD);
  await settle();
  expect(await urls()).toEqual({ own: pageOf(OLD) });
});

it("begins updates of products also while ten thousand wait", async () => {
  await rows(`
    INSERT INTO bulk_updates (kind, payload)
    SELECT 'product-state', jsonb_build_object('asin', 'A' || n) FROM generate_series(1, 10000) n
  `);
  await bulkUpdate(database, "product-state");
  expect(await rows("SELECT count(*)::int FROM bulk_updates")).toEqual([{ count: 9_900 }]);
});
