/** With fewer people a quotient says too little. */
const PEOPLE_MIN_COUNT = 100;
const EARLIER_PERIODS_MIN_COUNT = 2;
/** Of the median of the earlier quotients. */
const FALLING_BELOW = 0.7;

interface Counts {
  /** That Amazon counted for the tags of a channel in a store. */
  amazonClicks: number;
  /** People who opened the store by links of the channel, on the same days. */
  people: number;
  /** Whether Amazon's clicks and the people are of the same links. */
  isComparable: boolean;
}

/** Null: too few people, or not comparable. */
export function arrivalRatio({ amazonClicks, people, isComparable }: Counts): number | null {
  if (people < PEOPLE_MIN_COUNT || !isComparable) return null;
  return Math.round((amazonClicks / people) * 10_000) / 10_000;
}

export interface ArrivalTrend {
  isFalling: boolean;
  /** `unknown`: `ratio` or `usualRatio` is null. */
  trend: "falling" | "steady" | "unknown";
  /** Of the last period. */
  ratio: number | null;
  /** The median of the earlier periods; null: there are too few. */
  usualRatio: number | null;
}

/**
 * Whether tags arrive at Amazon less often than before. Amazon counts clicks otherwise than we count people, so only the change
 * of their quotient says something.
 * @param periods that have ended, the oldest first
 */
export function arrivalTrend(periods: readonly Counts[]): ArrivalTrend {
  const ratios = periods.map(arrivalRatio);
  const ratio = ratios.at(-1) ?? null;
  const earlier = ratios.slice(0, -1).filter((each) => each !== null);
  const usualRatio = earlier.length < EARLIER_PERIODS_MIN_COUNT ? null : median(earlier);
  if (ratio === null || usualRatio === null) {
    return { isFalling: false, trend: "unknown", ratio, usualRatio };
  }
  const isFalling = ratio < FALLING_BELOW * usualRatio;
  return { isFalling, trend: isFalling ? "falling" : "steady", ratio, usualRatio };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
