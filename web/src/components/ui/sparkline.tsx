interface SparklineProps {
  /** At least two, from left to right in each language. */
  values: readonly number[];
  label: string;
  size?: keyof typeof SIZES;
}

const SIZES = { small: "h-4 w-16 min-w-0", wide: "h-8 w-full" };

/** Room for half of the line's width above the highest and below the lowest value. */
const MARGIN = 1;
const HEIGHT = 10;

export function Sparkline({ values, label, size = "small" }: SparklineProps) {
  const highest = Math.max(1, ...values);
  const last = values.length - 1;
  const y = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value / highest);
  const points = values.map((value, x) => `${x},${y(value).toFixed(2)}`).join(" ");
  return (
    <svg
      role="img"
      viewBox={`0 0 ${last} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`border-b border-line-strong text-accent ${SIZES[size]}`}
    >
      <title>{label}</title>
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
