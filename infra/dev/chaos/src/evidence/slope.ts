import type { CheckResult } from "../check-result.ts";

/** A value at an instant, in seconds. */
export interface Point {
  atS: number;
  value: number;
}

/** A linear regression. */
export interface Slope {
  mean: number;
  perHour: number;
  /** Standard error of `perHour`. */
  errorPerHour: number;
}

const HOUR_S = 3_600;
/** A shorter run shows how processes warm up, so that its slopes are only reported. */
export const SLOPES_COUNT_FROM_S = 600;

/**
 * Least squares. Neighboring samples of one process are alike, so the standard error is multiplied by
 * √((1+r)/(1−r)), where r is the correlation of neighboring residuals, if it is positive.
 */
export function slopeOf(points: readonly Point[]): Slope {
  const count = points.length;
  const meanS = points.reduce((sum, { atS }) => sum + atS, 0) / count;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
  const spread = points.reduce((sum, { atS }) => sum + (atS - meanS) ** 2, 0);
  const slope =
    points.reduce((sum, { atS, value }) => sum + (atS - meanS) * (value - mean), 0) / spread;
  const residuals = points.map(({ atS, value }) => value - mean - slope * (atS - meanS));
  const squares = residuals.reduce((sum, one) => sum + one ** 2, 0);
  const products = residuals.slice(1).reduce((sum, one, i) => sum + one * (residuals[i] ?? 0), 0);
  const correlation = squares === 0 ? 0 : Math.min(Math.max(products / squares, 0), 0.99);
  const error = Math.sqrt(squares / (count - 2) / spread);
  const inflation = Math.sqrt((1 + correlation) / (1 - correlation));
  return { mean, perHour: slope * HOUR_S, errorPerHour: error * inflation * HOUR_S };
}

/**
 * Fails if the slope is above the limit by more than two standard errors. It is only reported if the limit is null or the
 * points are from a shorter time than `SLOPES_COUNT_FROM_S`.
 */
export function atMostPerHour(
  label: string,
  points: readonly Point[],
  hourlyLimit: number | null,
  unit = "",
): CheckResult {
  const seconds = (points.at(-1)?.atS ?? 0) - (points[0]?.atS ?? 0);
  const limit = seconds < SLOPES_COUNT_FROM_S ? null : hourlyLimit;
  const { mean, perHour, errorPerHour } = slopeOf(points);
  const measured = `${round(mean)} ${unit}`.trim();
  return {
    label: `${label}: mean, slope per hour ± standard error`,
    measured: `${measured}, ${perHour < 0 ? "" : "+"}${round(perHour)} ± ${round(errorPerHour)}`,
    limit: limit === null ? null : `≤ ${limit} ${unit}`.trim(),
    passed: limit === null || perHour - 2 * errorPerHour <= limit,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
