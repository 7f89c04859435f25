/** How a visit opens the store: as the strategy table says; on the page, with a tap only; or in the browser at once. */
export const OPENING_WAYS = ["app", "tap", "browser"] as const;

export type Verdict = "a" | "b" | "no-difference" | "unknown";

export interface ArmCounts {
  visits: number;
  /** A visit may bring several. Null: reports do not say it. */
  orders: number | null;
}

/** Of 95 %. */
const INTERVAL_Z = 1.96;
/** Of 99 %: the items of a basket are ordered together, so orders vary more than single events. */
const WINNER_Z = 2.576;
/** With fewer, counts are not distributed normally. */
const ORDERS_MIN_COUNT = 20;

/** Orders for each visit, with the score interval of Poisson. Null: there is none. */
export function rateOf({ visits, orders }: ArmCounts) {
  if (visits === 0 || orders === null) return null;
  const square = INTERVAL_Z ** 2;
  const centre = orders + square / 2;
  const spread = INTERVAL_Z * Math.sqrt(orders + square / 4);
  return { value: orders / visits, low: (centre - spread) / visits, high: (centre + spread) / visits };
}

/** Compares the rates of both arms once, after the end of an experiment. */
export function verdictOf(a: ArmCounts, b: ArmCounts): Verdict {
  const [one, other] = [rateOf(a), rateOf(b)];
  const orders = (a.orders ?? 0) + (b.orders ?? 0);
  if (!one || !other || orders < ORDERS_MIN_COUNT) return "unknown";
  const difference = one.value - other.value;
  const variance = (orders / (a.visits + b.visits)) * (1 / a.visits + 1 / b.visits);
  if (Math.abs(difference) <= WINNER_Z * Math.sqrt(variance)) return "no-difference";
  return difference > 0 ? "a" : "b";
}
