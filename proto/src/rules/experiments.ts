/** How a visit opens the store: as the strategy table says; on the page, with a tap only; or in the browser at once. */
export const OPENING_WAYS = ["app", "tap", "browser"] as const;

export type Verdict = "a" | "b" | "no-difference" | "unknown";

/** Orders, of which a visit may bring several; or, as `isShare`, openings of the app, which are one at most. */
export interface ArmCounts {
  visits: number;
  events: number;
  isShare: boolean;
}

/** Of 95 %. */
const INTERVAL_Z = 1.96;
/** Of 99 %: the items of a basket are ordered together, so orders vary more than single events. */
const WINNER_Z = 2.576;
/** With fewer, counts are not distributed normally. */
const EVENTS_MIN_COUNT = 20;

/** Events for each visit, with an interval of 95 % (Wilson's of shares, else the score interval of Poisson). Null: no visits. */
export function rateOf({ visits, events, isShare }: ArmCounts) {
  if (visits === 0) return null;
  const square = INTERVAL_Z ** 2;
  const value = isShare ? Math.min(1, events / visits) : events / visits;
  const centre = visits * value + square / 2;
  const spread = INTERVAL_Z * Math.sqrt(visits * value * (isShare ? 1 - value : 1) + square / 4);
  const size = visits + (isShare ? square : 0);
  return { value, low: Math.max(0, (centre - spread) / size), high: (centre + spread) / size };
}

/** Compares the rates of both arms once, after the end of an experiment. */
export function verdictOf(a: ArmCounts, b: ArmCounts): Verdict {
  const [one, other, both] = [a, b, { ...a, visits: a.visits + b.visits, events: a.events + b.events }].map(rateOf);
  if (!one || !other || !both || a.events + b.events < EVENTS_MIN_COUNT) return "unknown";
  const variance = both.value * (a.isShare ? 1 - both.value : 1) * (1 / a.visits + 1 / b.visits);
  const difference = one.value - other.value;
  if (Math.abs(difference) <= WINNER_Z * Math.sqrt(variance)) return "no-difference";
  return difference > 0 ? "a" : "b";
}
