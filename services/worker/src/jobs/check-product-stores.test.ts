import { beforeEach, describe, expect, it } from "vitest";
import { bulkUpdate, bulkUpdateDeps, NEVER, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { NOTHING_KNOWN, testSource, useStandIn } from "../testing/test-source.ts";
import { checkProductStores, soldByRead } from "./check-product-stores.ts";
import { type MetadataSource, OUTCOMES, type ReadResult } from "./scrape-metadata/source.ts";
import { sweepProducts } from "./sweep-products.ts";

const database = await useDatabase();
const { rows } = database;
const { source, ...standIn } = await useStandIn();

beforeEach(async () => {
  await rows(`
    INSERT INTO users (id, username, email, firebase_uid) SELECT n, n, n, n FROM generate_series(1, 2) AS n;
    INSERT INTO routing_settings VALUES (1, true, 'original');
    INSERT INTO store_checks (user_id) VALUES (1), (2);
    INSERT INTO channel_tags VALUES (default_channel(1), 1, 'de', 'me-21'), (default_channel(2), 2, 'fr', 'other-21');
  `);
});

async function addLink(
  asin: string,
  { userId = 1, routing = null, store = "com" }: { userId?: number; routing?: boolean | null; store?: string } = {},
): Promise<void> {
  const page = `https://www.amazon.${store}/dp/${asin}`;
  await rows(`INSERT INTO products (canonical_url, marketplace, product_id) VALUES ($1, $2, $3)`, [page, store, asin]);
  await rows(
    `INSERT INTO links
       (short_code, original_url, web_url, deep_link, marketplace, asin, canonical_url, user_id, routing)
     VALUES ($1, 'x', $2, 'x?product_id=x', $3, $1, $2, $4, $5)`,
    [asin, page, store, userId, routing],
  );
}

async function check(metadataSource: MetadataSource | null = source, signal = NEVER): Promise<void> {
  const app = { ...bulkUpdateDeps(database), metadataSource };
  await workNow({ ...app, metadataSource: null, jobs: { add: async () => {} } }, sweepProducts, signal);
  await workNow(app, checkProductStores, signal);
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const makeDue = () => rows("UPDATE product_stores SET next_check_at = now()");
const requested = () => standIn.requested().sort();
const known = () => rows("SELECT asin, store, sold, source, attempts FROM product_stores ORDER BY asin, store");

const changes = async () => (await rows("SELECT payload FROM bulk_updates")).map(({ payload }) => payload);

async function hoursToNextCheck(): Promise<number> {
  const [row] = await rows(
    `SELECT extract(epoch FROM next_check_at - now())::float / 3600 AS hours FROM product_stores`,
  );
  return Number(row?.hours);
}

describe("what a store's page says of a product", () => {
  it.each([
    ["it can be bought", "B0HGOOD001", true],
    ["the store does not have it", "B0HGONE001", false],
    ["the page is of another product", "B0HSWAP001", false],
    ["the address leads to another product", "B0HMOVE001", false],
  ])("stores what a store's page says with source and date: %s", async (_case, asin, sold) => {
    await addLink(asin);
    await check();
    expect(await known()).toEqual([{ asin, store: "de", sold, source: "page", attempts: 0 }]);
    expect(await changes()).toEqual(sold ? [{ asin }] : []);
    expect(await rows("SELECT FROM product_stores WHERE checked_at <= now()")).toHaveLength(1);
    expect(await hoursToNextCheck()).toBeGreaterThan(5 * 24);
  });

  it("keeps a page's facts after a captcha until they are stale", async () => {
    await addLink("B0HCAPT001");
    await rows("INSERT INTO product_stores VALUES ('B0HCAPT001', 'de', true, 'page', now())");
    await check();
    expect(await known()).toMatchObject([{ sold: true, source: "page", attempts: 1 }]);
    expect(await changes()).toEqual([]);
    await rows("UPDATE product_stores SET keep_until = now() - interval '1 second'");
    await check(null);
    expect(await known()).toEqual([]);
    expect(await changes()).toEqual([{ asin: "B0HCAPT001" }]);
  });
});

describe("products are checked", () => {
  it("checks the product of a routed link in the other stores of the owner's tags", async () => {
    await addLink("B0HGOOD001");
    await addLink("B0HGOOD002", { routing: false });
    await addLink("B0HGOOD003", { store: "de" });
    await addLink("B0HGOOD004", { userId: 2 });
    await addLink("B0HGOOD005", { userId: 2, routing: true });
    await check();
    expect(requested()).toEqual(["www.amazon.de/dp/B0HGOOD001", "www.amazon.fr/dp/B0HGOOD005"]);
  });

  it("checks no products of links that expired or were taken down, and none in stores that OneLink serves", async () => {
    await addLink("B0HGOOD001");
    await addLink("B0HGOOD002");
    await addLink("B0HGOOD003", { userId: 2, routing: true });
    await rows("UPDATE links SET expires_at = now() WHERE short_code = 'B0HGOOD001'");
    await rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'B0HGOOD002'");
    await rows("INSERT INTO onelink_stores VALUES (2, 'fr')");
    await check();
    expect(requested()).toEqual([]);
  });

  it("checks products, not storefronts", async () => {
    await addLink("B0HGOOD001");
    const storefront = "https://www.amazon.com/shop/beauty";
    await rows(`INSERT INTO products (canonical_url, marketplace, product_id)
      VALUES ('${storefront}', 'com', 'beauty')`);
    await rows(`UPDATE links SET canonical_url = '${storefront}', asin = NULL`);
    await check();
    expect(await known()).toEqual([]);
  });

  it("checks products again only when they are due", async () => {
    for (let i = 1; i <= 5; i++) await addLink(`B0HGOOD00${i}`);
    await check();
    await check();
    expect(requested()).toHaveLength(5);
    await makeDue();
    await check();
    expect(requested()).toHaveLength(10);
  });

  it("checks owners in turn, at most 30 products in a run", async () => {
    for (let i = 10; i < 50; i++) await addLink(`B0HGOOD0${i}`);
    await addLink("B0HGOOD099", { userId: 2, routing: true });
    await check();
    expect(requested()).toHaveLength(30);
    expect(requested()).toContain("www.amazon.fr/dp/B0HGOOD099");
  });

  it("checks the newest of many links first, and then all in turn", async () => {
    for (let i = 100; i < 400; i++) await addLink(`B0HGOOD${i}`);
    const checkMany = () => check(testSource());
    await checkMany();
    const first = await known();
    expect(first).toHaveLength(30);
    const looked = [...range(100, 200), ...range(380, 400)];
    expect(first.every(({ asin }) => looked.includes(Number(String(asin).slice(-3))))).toBe(true);
    for (let run = 0; run < 30 && (await known()).length < 300; run++) await checkMany();
    expect(await known()).toHaveLength(300);
  });

  it("checks nothing while no source is configured, the run is aborted or the store is paused", async () => {
    await addLink("B0HGOOD001");
    await check(null);
    await check(source, AbortSignal.abort());
    expect(await known()).toEqual([]);
    await check(testSource(async () => ({ kind: "postponed", retryInMs: 3_600_000 })));
    expect(await known()).toMatchObject([{ sold: null, attempts: 0 }]);
    expect(await hoursToNextCheck()).toBeGreaterThan(0.9);
  });
});

it("a link leads to a store once its page shows the product, and no longer when it is gone", async () => {
  const soldIn = async () => {
    while (await bulkUpdate(database, "product-state"));
    const found = await rows(
      `SELECT revision, record->'soldIn' AS stores FROM links JOIN redirect_records USING (short_code)
       WHERE short_code = 'B0HGOOD001'`,
    );
    return [found[0]?.revision, found[0]?.stores];
  };
  await addLink("B0HGOOD001");
  expect(await soldIn()).toEqual([1, null]);
  await check();
  expect(await soldIn()).toEqual([2, ["de"]]);
  await makeDue();
  await check(testSource(async () => ({ kind: "nothing", outcome: "gone" })));
  expect(await soldIn()).toEqual([3, null]);
});

const ASIN = "B0ZZ1Y2X3W";

it.each<[string, Partial<ReadResult>, boolean | null]>([
  ["is sold if the response says that it is this product", { asin: ASIN }, true],
  ["is sold if it is out of stock", { asin: ASIN, state: "out-of-stock" }, true],
  ["is not sold if the response is about another product", { asin: "B000000001" }, false],
  ["is unknown if the response does not say which product it is", { state: "redirected-elsewhere" }, null],
  ["is not sold if its page is missing", { kind: "nothing", outcome: "gone" }, false],
  ...OUTCOMES.filter((outcome) => outcome !== "gone").map(
    (outcome) => [`is unknown after ${outcome}`, { kind: "nothing", outcome }, null] as [string, object, null],
  ),
])("a product %s", (_, found, sold) => {
  expect(soldByRead({ kind: "read", metadata: NOTHING_KNOWN, ...found } as ReadResult, ASIN)).toBe(sold);
});
