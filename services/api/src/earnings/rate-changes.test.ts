import { listRateChanges } from "@tapthru/proto/earnings";
import { beforeEach, expect, it } from "vitest";
import { addProductLink, addReport, type TestReport } from "../testing/test-earnings.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE all_links, earnings_imports, earnings_products CASCADE"));

const [KETTLE, TOASTER, MUG] = ["B0KETTLE00", "B0TOASTER0", "B0MUGMUG00"];

const addLink = (code: string, asin: string, marketplace = "de") =>
  addProductLink(api, { userId: ada.user.id, code, asin, marketplace });

const dayAt = (index: number) => new Date(Date.UTC(2026, 2, 1 + index)).toISOString().slice(0, 10);

/** A sale of 50.00 each day, at 4 % for 40 days and then 20 days at the rate. */
function salesAt(asin: string, rate: number, hasRevenue = true) {
  return Array.from({ length: 60 }, (_, index) => {
    const earnings = 5_000 * (index < 40 ? 0.04 : rate);
    return { day: dayAt(index), tag: "me-21", asin, earnings, shipped: 1, ...(hasRevenue && { revenue: 5_000 }) };
  });
}

const store = (sales: ReturnType<typeof salesAt>, report: Partial<TestReport> = {}) =>
  addReport(api, { userId: ada.user.id, period: [dayAt(0), dayAt(59)], sales, ...report });

async function found(user = ada) {
  const response = await api.request("GET", "/api/earnings/rate-changes", user.browser);
  expect(response.status).toBe(200);
  return listRateChanges.replies[200].parse(await response.json());
}

it("a product that pays less is named with its links, and similar ones that still pay the rate before", async () => {
  await api.query(`INSERT INTO earnings_products VALUES (${ada.user.id}, '${KETTLE}', 'Kettle', 'Kitchen'),
    (${ada.user.id}, '${TOASTER}', 'Toaster', 'Kitchen'), (${ada.user.id}, '${MUG}', 'Mug', 'Garden')`);
  for (const [code, asin] of [
    ["kettle2", KETTLE],
    ["toaster", TOASTER],
    ["mugmug2", MUG],
  ] as const) {
    await addLink(code, asin);
  }
  await addLink("other22", KETTLE, "fr");
  await store([...salesAt(KETTLE, 0.02), ...salesAt(TOASTER, 0.04), ...salesAt(MUG, 0.04)]);
  expect(await found()).toEqual({
    hasRevenue: true,
    changes: [
      {
        ...{
          level: "product",
          marketplace: "de",
          storeId: "",
          name: "Kettle",
          asin: KETTLE,
          isDirect: null,
          day: dayAt(40),
        },
        // 20 sales of 50.00 in 20 days, at 2 % less.
        ...{ before: 0.04, after: 0.02, perMonth: 3_000, currency: "EUR" },
        links: [{ shortCode: "kettle2", name: "Link kettle2" }],
        unchanged: [{ shortCode: "toaster", name: "Link toaster" }],
      },
    ],
  });
  expect(await found(eve)).toEqual({ hasRevenue: true, changes: [] });
});

it("reports a change of a category, or of a store without categories, once", async () => {
  await store([...salesAt(KETTLE, 0.05), ...salesAt(TOASTER, 0.05)]);
  expect((await found()).changes).toMatchObject([{ level: "store", name: null, asin: null, perMonth: -3_000 }]);
  await api.query(`INSERT INTO earnings_products VALUES (${ada.user.id}, '${KETTLE}', 'Kettle', 'Kitchen'),
    (${ada.user.id}, '${TOASTER}', 'Toaster', 'Kitchen')`);
  const others = ["B0OTHER001", "B0OTHER002", "B0OTHER003"].flatMap((asin) => salesAt(asin, 0.04));
  await store([...salesAt(KETTLE, 0.05), ...salesAt(TOASTER, 0.05), ...others]);
  expect((await found()).changes).toMatchObject([{ level: "category", name: "Kitchen", before: 0.04, after: 0.05 }]);
});

it("reports without revenue say so, and few sales show nothing", async () => {
  expect(await found()).toEqual({ hasRevenue: true, changes: [] });
  await store(salesAt(KETTLE, 0.02, false));
  expect(await found()).toEqual({ hasRevenue: false, changes: [] });
  await store(salesAt(KETTLE, 0.02).slice(35, 51));
  expect(await found()).toEqual({ hasRevenue: true, changes: [] });
});

it("of very many changes shows the largest of each currency", async () => {
  // In yen, amounts are a hundred times as large.
  const asins = Array.from({ length: 52 }, (_, index) => `B0YEN${String(index).padStart(5, "0")}`);
  const large = (sale: ReturnType<typeof salesAt>[number]) => ({
    ...sale,
    revenue: 5_000_000,
    earnings: Math.round(1_000 * sale.earnings),
  });
  const rateOf = (index: number) => 0.005 + index / 2_000;
  await store(
    asins.flatMap((asin, index) => salesAt(asin, rateOf(index)).map(large)),
    { marketplace: "co.jp", currency: "JPY" },
  );
  await store(salesAt(KETTLE, 0.02));
  const { changes } = await found();
  expect(
    changes
      .map(({ currency }) => currency)
      .slice(0, 2)
      .sort(),
  ).toEqual(["EUR", "JPY"]);
  expect(changes).toHaveLength(50);
});

it("a product that is sold in many stores, with more rows than are compared, is compared", async () => {
  // 60 days in 45 stores, direct and indirect.
  for (let at = 0; at < 90; at++) await store(salesAt(KETTLE, 0.02), { storeId: `anna${at}-21` });
  const { hasRevenue, changes } = await found();
  expect([hasRevenue, changes.length]).toEqual([true, 50]);
});

it("compares rates within each account and currency, and reports a change with its account", async () => {
  const [old, since] = [salesAt(KETTLE, 0.04), salesAt(KETTLE, 0.02)];
  // The sales move from an account with one rate to one with another.
  await store(old.slice(0, 30), { storeId: "anna-21" });
  await store(
    since.slice(40).map((sale) => ({ ...sale, earnings: 100 })),
    { storeId: "anna2-21" },
  );
  expect((await found()).changes).toEqual([]);
  for (const storeId of ["anna-21", "anna2-21"]) await store(since, { storeId });
  expect((await found()).changes).toMatchObject([
    { storeId: "anna-21", perMonth: 3_000 },
    { storeId: "anna2-21", perMonth: 3_000 },
  ]);
  await store(since, { marketplace: "fr", currency: "USD" });
  expect((await found()).changes.map(({ marketplace, currency }) => `${marketplace} ${currency}`).sort()).toEqual([
    "de EUR",
    "de EUR",
    "fr USD",
  ]);
});

it("a report that is imported again, or has common days, counts once", async () => {
  const sales = salesAt(KETTLE, 0.02);
  for (const _ of [1, 2]) await store(sales);
  await store(sales.slice(30), { period: [dayAt(30), dayAt(59)] });
  expect((await found()).changes).toMatchObject([{ perMonth: 3_000 }]);
});

it("looks only at the most sold products among many rows, and names few links to each", async () => {
  const tagged = salesAt(KETTLE, 0.02).flatMap((sale) =>
    Array.from({ length: 200 }, (_, index) => ({ ...sale, tag: `me${index}-21` })),
  );
  const returns = Array.from({ length: 9_000 }, (_, index) => {
    const asin = `B0R${String(index).padStart(7, "0")}`;
    return { day: dayAt(index % 60), asin, revenue: -100, earnings: -4, returned: 1 };
  });
  await addReport(api, { userId: ada.user.id, period: [dayAt(0), dayAt(59)], sales: [...tagged, ...returns] });
  for (let index = 0; index < 12; index++) await addLink(`kettle2${index}`, KETTLE);
  const [change, ...others] = (await found()).changes;
  expect(others).toEqual([]);
  expect(change).toMatchObject({ asin: KETTLE, perMonth: 600_000 });
  expect(change?.links).toHaveLength(10);
});
