import { describe, expect, it } from "vitest";
import { createRandom } from "../platform/create-random.ts";
import { findRateChange, type RatedSale } from "./rate-changes.ts";

const RATES = [0.01, 0.015, 0.02, 0.025, 0.03, 0.038, 0.04, 0.045, 0.05, 0.0525, 0.06, 0.07, 0.08, 0.1, 0.12];
const SALES_SINCE = 30;

const dayAt = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);

interface Simulated {
  /** True if the rate changes before the last thirty sales; else two hundred sales have one rate. */
  changes?: boolean;
  /** The share of direct sales. Others have a third rate, which reports do not tell apart. */
  leastDirect?: number;
  /** More sales of a day are one row. */
  dailyMax?: number;
  products?: number;
  /** Days in the middle with twice the rate. */
  promotionDays?: number;
}

/** Sales of a random price, which changes now and then; some are returned days later. Rows are added up by day and product. */
function simulate(seed: number, options: Simulated) {
  const { changes = false, leastDirect = 1, dailyMax = 2, products = 1, promotionDays = 0 } = options;
  const random = createRandom(seed);
  const pick = (except: number[]) => {
    for (;;) {
      const rate = RATES[Math.floor(random() * RATES.length)] ?? 0;
      if (except.every((each) => Math.abs(each - rate) >= 0.005)) return rate;
    }
  };
  const before = pick([]);
  const after = pick([before]);
  const indirect = pick([before, after]);
  const share = leastDirect + random() * (1 - leastDirect);
  const perDay = 0.2 + random() * (dailyMax - 0.2);
  const prices = Array.from({ length: products }, () => Math.round(800 * Math.exp(random() * 3.5)));
  const count = changes ? 70 + Math.floor(random() * 100) : 200;
  const rows = new Map<string, RatedSale>();
  const add = (product: string, index: number, amounts: Omit<RatedSale, "product" | "day">) => {
    const day = dayAt(index);
    const sum = rows.get(`${day} ${product}`) ?? { product, day, revenue: 0, earnings: 0, shipped: 0, returned: 0 };
    for (const name of ["revenue", "earnings", "shipped", "returned"] as const) sum[name] += amounts[name];
    rows.set(`${day} ${product}`, sum);
  };
  let [time, lost, day] = [0, 0, ""];
  for (let sale = 0; sale < count; sale++) {
    time -= Math.log(1 - random()) / perDay;
    const isNew = changes && sale >= count - SALES_SINCE;
    if (isNew && day === "") {
      time = Math.floor(time) + 1;
      day = dayAt(time);
    }
    const item = Math.floor(random() * products);
    if (random() < 0.03) prices[item] = Math.round((prices[item] ?? 0) * (0.8 + 0.4 * random()));
    const price = prices[item] ?? 0;
    const isDirect = random() < share;
    const isPromoted = promotionDays > 0 && time > 40 && time < 40 + promotionDays;
    const rate = (isDirect ? (isNew ? after : before) : indirect) * (isPromoted ? 2 : 1);
    const earnings = Math.round(price * rate);
    add(`p${item}`, Math.floor(time), { revenue: price, earnings, shipped: 1, returned: 0 });
    const isReturned = random() < 0.06;
    if (isReturned) {
      add(`p${item}`, Math.floor(time) + 5, { revenue: -price, earnings: -earnings, shipped: 0, returned: 1 });
    } else if (isNew && isDirect) lost += (before - after) * price;
  }
  const sales = [...rows.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  return { sales, before, after, day, lost };
}

const sale = (index: number, rate: number): RatedSale => {
  return {
    product: "p",
    day: dayAt(index),
    revenue: 1_999,
    earnings: Math.round(1_999 * rate),
    shipped: 1,
    returned: 0,
  };
};

const RUNS = 400;
async function shareOf(isSo: (seed: number) => Promise<boolean>) {
  const runs = await Promise.all(Array.from({ length: RUNS }, (_, seed) => isSo(seed)));
  return runs.filter(Boolean).length / RUNS;
}

describe("a planted change", () => {
  it("finds a change within thirty sales in 95 % of runs, by its rates, with its amount within 5 %", async () => {
    for (const options of [{}, { dailyMax: 4 }, { products: 15 }]) {
      const found = async (seed: number, isRight: (change: number, planted: number) => boolean) => {
        const { sales, before, after, lost } = simulate(seed, { changes: true, ...options });
        const change = await findRateChange(sales);
        return change?.before === before && change.after === after && isRight(change.lost, lost);
      };
      expect(await shareOf((seed) => found(seed, () => true))).toBeGreaterThanOrEqual(0.95);
      expect(
        await shareOf((seed) => found(seed, (lost, planted) => Math.abs(lost / planted - 1) <= 0.05)),
      ).toBeGreaterThanOrEqual(0.95);
    }
  });

  it("finds a change although indirect sales of another rate are in the same rows", async () => {
    const isFound = async (seed: number) =>
      (await findRateChange(simulate(seed, { changes: true, leastDirect: 0.85 }).sales)) !== null;
    expect(await shareOf(isFound)).toBeGreaterThanOrEqual(0.95);
  });

  it("finds no change before a week of the rate, and dates it to the first sale", async () => {
    const old = Array.from({ length: 40 }, (_, index) => sale(index, 0.04));
    const since = (days: number) =>
      Array.from({ length: 3 * days }, (_, index) => sale(40 + Math.floor(index / 3), 0.02));
    expect(await findRateChange([...old, ...since(6)])).toBeNull();
    expect(await findRateChange([...old, ...since(7)])).toMatchObject({
      day: dayAt(40),
      before: 0.04,
      after: 0.02,
      products: ["p"],
    });
    const again = Array.from({ length: 40 }, (_, index) => sale(60 + index, 0.03));
    expect(await findRateChange([...old, ...since(20), ...again])).toMatchObject({
      day: dayAt(60),
      before: 0.02,
      after: 0.03,
    });
  });

  it("takes a change back as soon as five sales have the earlier rate", async () => {
    const sales = (first: number, count: number, rate: number) =>
      Array.from({ length: count }, (_, index) => sale(first + index, rate));
    const promoted = [...sales(0, 40, 0.04), ...sales(40, 40, 0.08)];
    expect(await findRateChange([...promoted, ...sales(80, 4, 0.04)])).toMatchObject({ day: dayAt(40), after: 0.08 });
    for (const count of [5, 8, 40])
      expect((await findRateChange([...promoted, ...sales(80, count, 0.04)]))?.after).not.toBe(0.08);
  });

  it("finds a change to no commission, and nothing in sales without revenue or with negative amounts", async () => {
    const sales = Array.from({ length: 60 }, (_, index) => sale(index, index < 40 ? 0.04 : 0));
    const change = { before: 0.04, after: 0, lost: expect.closeTo(20 * 79.96) };
    expect(await findRateChange(sales)).toMatchObject(change);
    const hostile = [0, -1_999].map((revenue) => sales.map((each) => ({ ...each, product: "other", revenue })));
    expect(await findRateChange([...sales, ...hostile.flat()].sort((a, b) => (a.day < b.day ? -1 : 1)))).toMatchObject(
      change,
    );
    for (const each of hostile) expect(await findRateChange(each)).toBeNull();
  });
});

it("other requests run while many sales are looked at", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const sales = Array.from({ length: 5_000 }, (_, index) => sale(Math.floor(index / 14), (index % 97) / 1_000));
  await findRateChange(sales);
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(3);
});

describe("no change is found in 99 % of runs", () => {
  it.each<[string, Simulated]>([
    ["one rate", {}],
    ["one rate, and indirect sales of another", { leastDirect: 0.7 }],
    ["a promotion of five days", { promotionDays: 5, dailyMax: 4 }],
    ["many products", { products: 15, leastDirect: 0.9 }],
  ])("finds no change in 99 % of runs of %s", async (_, options) => {
    const isFound = async (seed: number) => (await findRateChange(simulate(seed, options).sales)) !== null;
    expect(await shareOf(isFound)).toBeLessThanOrEqual(0.01);
  });

  it("finds no change in 99 % of runs of products with their own rates that sell more or less", async () => {
    const random = createRandom(1);
    const sales = Array.from({ length: 300 }, (_, index): RatedSale => {
      const isFirst = random() < (index < 150 ? 0.95 : 0.05);
      const revenue = 1_000 + Math.floor(random() * 5_000);
      const earnings = Math.round(revenue * (isFirst ? 0.03 : 0.045));
      return { product: isFirst ? "a" : "b", day: dayAt(index), revenue, earnings, shipped: 1, returned: 0 };
    });
    expect(await findRateChange(sales)).toBeNull();
  });
});
