import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { tapsOptions } from "./list-taps.ts";

/** The taps of people in the last 30 days. Keeps its space while they are unknown. */
export function LinkTaps({ shortCode }: { shortCode: string }) {
  const { data } = useQuery(tapsOptions(shortCode));
  return <p className="mt-1 flex h-5 items-center gap-2 text-sm text-muted">{data && <Taps days={data} isShort />}</p>;
}

const DAYS_OF_WEEK = 7;

interface TapsProps {
  /** The taps on each of 30 days. */
  days: readonly number[];
  /** Hides the period in a narrow box, except from screen readers. */
  isShort?: boolean;
}

export function Taps({ days, isShort = false }: TapsProps) {
  const total = sum(days);
  const week = formatNumber(sum(days.slice(-DAYS_OF_WEEK)));
  return (
    <>
      {total > 0 && (
        <Sparkline
          values={days}
          label={`At most ${formatNumber(Math.max(...days))} on one day, ${week} in the last 7 days.`}
        />
      )}
      <bdi>
        <span className="whitespace-nowrap tabular-nums">
          {`${formatNumber(total)} ${total === 1 ? "tap" : "taps"}`}
        </span>
        <span className={isShort ? "sr-only @lg:not-sr-only" : ""}> in 30 days</span>
      </bdi>
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface SparklineProps {
  /** At least two, from left to right in each language. */
  values: readonly number[];
  label: string;
}

/** Room for half of the line's width above the highest and below the lowest value. */
const MARGIN = 1;
const HEIGHT = 10;

/** A line without axes, stretched to its box. */
function Sparkline({ values, label }: SparklineProps) {
  const highest = Math.max(1, ...values);
  const last = values.length - 1;
  const y = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value / highest);
  const points = values.map((value, x) => `${x},${y(value).toFixed(2)}`).join(" ");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${last} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-4 w-16 min-w-0 text-accent"
    >
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
