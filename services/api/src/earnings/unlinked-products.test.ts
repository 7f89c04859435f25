import { listUnlinkedProducts } from "@tapthru/proto/earnings";
import { beforeEach, describe, expect, it } from "vitest";
import { addProductLink, addReport } from "../testing/test-earnings.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(async () => {
  await api.query("TRUNCATE all_links, earnings_imports, earnings_products CASCADE");
  await api.query(`INSERT INTO channel_tags SELECT id, user_id, 'de', 'me-21' FROM channels WHERE user_id = ${ada.user.id}
    ON CONFLICT DO NOTHING`);
});

const dayAt = (index: number) => new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10);
const asinAt = (index: number) => `B0${String(index).padStart(8, "0")}`;

const addLink = (code: string, asin: string, marketplace = "de", routing: boolean | null = null) =>
  addProductLink(api, { userId: ada.user.id, code, asin, marketplace, routing });

interface Sold {
  asin: string;
  days: number[];
  tag?: string;
}

const store = (sold: readonly Sold[], report: { kind?: "orders" | "earnings"; storeId?: string } = {}) =>
  addReport(api, {
    userId: ada.user.id,
    kind: "orders",
    period: [dayAt(0), dayAt(80)],
    sales: sold.flatMap(({ asin, days, tag = "me-21" }) =>
      days.map((day) => ({ day: dayAt(day), tag, asin, [report.kind === "earnings" ? "shipped" : "ordered"]: 1 })),
    ),
    ...report,
  });

async function found(user = ada) {
  const response = await api.request("GET", "/api/earnings/unlinked-products", user.browser);
  expect(response.status).toBe(200);
  return listUnlinkedProducts.replies[200].parse(await response.json());
}

it("lists all repeated products without a link among 5,000 sales, and no others", async () => {
  const single = Array.from({ length: 4_610 }, (_, index) => ({ asin: asinAt(index), days: [index % 80] }));
  const repeated = Array.from({ length: 60 }, (_, index) => {
    return { asin: asinAt(10_000 + index), days: [1, 1, 5 + (index % 40), 60] };
  });
  // Three items on two days may be of one shopper.
  const twice = Array.from({ length: 50 }, (_, index) => ({ asin: asinAt(20_000 + index), days: [3, 3, 4] }));
  for (const [index, { asin }] of repeated.slice(0, 20).entries()) await addLink(`code2${index}`, asin);
  await store([...single, ...repeated, ...twice]);
  const products = await found();
  expect(products.map(({ asin }) => asin).sort()).toEqual(repeated.slice(20).map(({ asin }) => asin));
  expect(products.every(({ sold, days }) => sold === 4 && days === 3)).toBe(true);
  expect(await found(eve)).toEqual([]);
});

describe("a product", () => {
  const [KETTLE, MUG] = [asinAt(1), asinAt(2)];

  it("counts once in reports of orders and of earnings, which may have other days", async () => {
    await api.query(`INSERT INTO earnings_products VALUES (${ada.user.id}, '${KETTLE}', 'Kettle')`);
    await store([{ asin: KETTLE, days: [1, 2, 3] }]);
    await store([{ asin: KETTLE, days: [4, 5] }], { kind: "earnings" });
    const [own] = await api.query(`SELECT id FROM channels WHERE user_id = ${ada.user.id}`);
    expect(await found()).toEqual([
      { marketplace: "de", asin: KETTLE, name: "Kettle", channelId: Number(own?.id), sold: 3, days: 3 },
    ]);
    await addLink("kettle2", KETTLE);
    expect(await found()).toEqual([]);
    await api.query("UPDATE all_links SET deleted_at = now()");
    expect(await found()).toMatchObject([{ asin: KETTLE }]);
  });

  it("a link of another store is no link to a product, unless visitors are sent to their store", async () => {
    await store([{ asin: KETTLE, days: [1, 2, 3] }]);
    await addLink("kettle2", KETTLE, "fr");
    expect(await found()).toMatchObject([{ asin: KETTLE }]);
    await addLink("kettle3", KETTLE, "fr", true);
    expect(await found()).toEqual([]);
  });

  it("does not list a product that another user's tag sold", async () => {
    await store([
      { asin: KETTLE, days: [1, 2, 3], tag: "other-21" },
      { asin: MUG, days: [1, 2] },
      { asin: MUG, days: [9], tag: "other-21" },
    ]);
    expect(await found()).toEqual([]);
  });
});
