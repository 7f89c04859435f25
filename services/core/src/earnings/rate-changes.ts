import { setImmediate as nextTurn } from "node:timers/promises";

/** A report's figures of a product on a day, in the smallest unit of the currency. Returns are negative. */
export interface RatedSale {
  product: string;
  day: string;
  revenue: number;
  earnings: number;
  shipped: number;
  returned: number;
}

/** Rates are shares of the revenue. `products`: those that had the one before. `lost`: since the day; negative if more is paid. */
export interface RateChange {
  day: string;
  before: number;
  after: number;
  products: string[];
  lost: number;
}

/** The fewest items sold before the change, and since. */
const MIN_SALES = 12;
/** A rate of fewer days may be a promotion. */
const MIN_DAYS = 7;
/** The smallest share of sales at the rate. Indirect sales, which reports may not tell apart, have another. */
const MIN_SHARE = 0.5;
/** The largest share of sales that fit the rate of the other side. */
const MAX_OTHER_SHARE = 0.15;
const MAX_RATES = 4;
const DAY_MS = 86_400_000;

/** Amazon rounds each sale to the smallest unit. */
const fits = ({ earnings, revenue, shipped, returned }: RatedSale, rate: number) =>
  Math.abs(earnings - rate * revenue) <= 0.5 * (shipped + returned) + 1e-6;

/** A row with returns may have two rates. */
const isPlain = ({ revenue, shipped, returned }: RatedSale) => revenue > 0 && shipped > 0 && returned === 0;

const itemsIn = (sales: readonly RatedSale[]) => sales.reduce((sum, { shipped }) => sum + shipped, 0);

/** Says whether the last sales of a product have the rate. */
export function paysRate(sales: readonly RatedSale[], rate: number): boolean {
  const last = sales.filter(isPlain).slice(-5);
  return last.length >= 3 && last.every((sale) => fits(sale, rate));
}

/**
 * The last lasting change of a rate. Each product counts as much before as since. Other requests run between the steps. Null: there is
 * none, or the last sales have the rate before again.
 * @param sales in the order of days
 */
export async function findRateChange(sales: readonly RatedSale[]): Promise<RateChange | null> {
  const plain = sales.filter(isPlain);
  const rates = await ratesOf(plain);
  const none = () => [0, ...rates.map(() => 0)];
  const sums: Sides = [none(), none()];
  const products = new Map(plain.map(({ product }): [string, Sides] => [product, [none(), none()]]));
  const counted = plain.map((sale) => {
    const counts = [sale.shipped, ...rates.map((rate) => (fits(sale, rate) ? sale.shipped : 0))];
    const sides = products.get(sale.product) ?? [none(), none()];
    add(sides[1], counts, 1);
    return { day: sale.day, counts, sides };
  });
  let best = { score: 0, from: 0, to: 0, day: "" };
  for (const [index, { day, counts, sides }] of counted.entries()) {
    if (day !== counted[index - 1]?.day) {
      const found = compare(sums);
      if (found.score > best.score) best = { ...found, day };
    }
    weigh(sums, sides, -1);
    add(sides[1], counts, -1);
    add(sides[0], counts, 1);
    weigh(sums, sides, 1);
  }
  if (best.score === 0) return null;
  const change = changeAt(sales, best.day, rates[best.from] ?? 0, rates[best.to] ?? 0);
  const days = (Date.parse(plain.at(-1)?.day ?? "") - Date.parse(change.day)) / DAY_MS + 1;
  const since = sales.filter(({ day }) => day >= change.day);
  if (days < MIN_DAYS || paysRate(since, change.before)) return null;
  return (await findRateChange(since)) ?? change;
}

/** Before and since: items, and those that fit each rate. */
type Sides = [before: number[], since: number[]];

function add(sums: number[], counts: readonly number[], factor: number): void {
  for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + factor * count;
}

/** Adds the counts of a product to the sums, or takes them away: as many items of both sides. */
function weigh(sums: Sides, [before, since]: Sides, sign: 1 | -1): void {
  const [sold = 0, soldSince = 0] = [before[0], since[0]];
  const weight = sign * Math.min(sold, soldSince);
  if (weight === 0) return;
  add(sums[0], before, weight / sold);
  add(sums[1], since, weight / soldSince);
}

/** The most frequent ones, the roundest of those that fit the same sales. */
async function ratesOf(sales: readonly RatedSale[]): Promise<number[]> {
  const rates: number[] = [];
  for (let rest = sales; itemsIn(rest) >= MIN_SALES / 2 && rates.length < MAX_RATES; ) {
    await nextTurn();
    const ends = rest
      .flatMap(({ earnings, revenue, shipped }) =>
        [-1, 1].map((sign) => ({ rate: (earnings + 0.5 * sign * shipped) / revenue, items: -sign * shipped })),
      )
      .sort((a, b) => a.rate - b.rate || b.items - a.items);
    let [items, most, rate] = [0, 0, 0];
    for (const [index, end] of ends.entries()) {
      items += end.items;
      if (items > most) [most, rate] = [items, (end.rate + (ends[index + 1]?.rate ?? 0)) / 2];
    }
    const round = [100, 200, 400, 1_000, 2_000, 10_000].map((steps) => Math.round(rate * steps) / steps);
    const found = round.find((each) => itemsIn(rest.filter((sale) => fits(sale, each))) >= 0.95 * most) ?? rate;
    rates.push(found);
    rest = rest.filter((sale) => !fits(sale, found) && !fits(sale, rate));
  }
  await nextTurn();
  return rates;
}

/** The two rates that show a change best. Score 0: none. */
function compare([[items = 0, ...before], [, ...since]]: Sides) {
  let best = { score: 0, from: 0, to: 0 };
  if (items < MIN_SALES - 1e-6) return best;
  for (const [from, old = 0] of before.entries()) {
    for (const [to, present = 0] of since.entries()) {
      const own = Math.min(old, present) / items;
      const other = Math.max(before[to] ?? 0, since[from] ?? 0) / items;
      const score = from === to || own < MIN_SHARE || other > MAX_OTHER_SHARE ? 0 : own - other;
      if (score > best.score) best = { score, from, to };
    }
  }
  return best;
}

function changeAt(sales: readonly RatedSale[], found: string, before: number, after: number): RateChange {
  const isOld = (sale: RatedSale) => isPlain(sale) && sale.day < found && fits(sale, before);
  const last = sales.findLast(isOld)?.day ?? "";
  const day = sales.find((sale) => sale.day > last && sale.shipped > 0)?.day ?? found;
  const products = [...new Set(sales.filter(isOld).map(({ product }) => product))];
  // Of rows that fit neither rate, some are returns of what was sold before, and some of indirect sales.
  const since = sales.filter(
    (sale) => sale.day >= day && products.includes(sale.product) && (fits(sale, after) || isMixed(sale)),
  );
  const lost = since.reduce((sum, { revenue, earnings }) => sum + before * revenue - earnings, 0);
  return { day, before, after, products, lost };
}

const isMixed = ({ shipped, returned }: RatedSale) => shipped > 0 && returned > 0;
