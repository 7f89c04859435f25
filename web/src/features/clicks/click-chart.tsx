import type { ClickInterval } from "@tapthru/proto/clicks";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar, Line } from "@visx/shape";
import { type PointerEvent, useState } from "react";
import { formatNumber } from "../../lib/locale-formats.ts";
import { COUNT_PER_PERIOD, periodName, shortPeriodName } from "./period-name.ts";

export interface ClickChartProps {
  name: string;
  interval: ClickInterval;
  points: readonly { start: string; count: number }[];
}

/** Width and height of the SVG in its own units. It is stretched; text is outside it, where it keeps its size. */
const SIZE = 100;

/**
 * Bars over time, from left to right in each language. With a transparent slider, keys move from bar to bar,
 * and screen readers read the bars out.
 */
export function ClickChart({ name, interval, points }: ClickChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = points.length - 1;
  const highest = points.reduce((max, { count }, i) => (count > at(max) ? i : max), 0);
  const active = chosen === null ? null : Math.min(chosen, last);

  const x = scaleBand({
    domain: points.map((_, i) => i),
    range: [0, SIZE],
    paddingInner: 0.25,
    paddingOuter: 0.12,
  });
  const y = scaleLinear({ domain: [0, Math.max(1, at(highest))], range: [SIZE, 0], nice: 3 });
  const ticks = y.ticks(3).filter(Number.isInteger);

  function at(index: number): number {
    return points[index]?.count ?? 0;
  }

  function describe(index: number, text = (time: string, count: string) => `${time}: ${count}`): string {
    return text(periodName(points[index]?.start ?? "", interval), formatNumber(at(index)));
  }

  function chooseAt({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * points.length);
    setChosen(Math.max(0, Math.min(last, index)));
  }

  return (
    <div dir="ltr" className="min-h-64">
      <p className="mb-3 min-h-6 text-sm text-muted">
        {active === null
          ? describe(highest, (time: string, count: string) => `Highest: ${count} (${time})`)
          : describe(active)}
      </p>
      <div className="flex gap-2">
        <div className="grid items-start text-xs text-muted tabular-nums" aria-hidden>
          {ticks.map((tick) => (
            // All numbers are in one cell of the grid, which is therefore as wide as the widest of them.
            <span
              key={tick}
              className="col-start-1 row-start-1 text-right"
              style={{ transform: `translateY(calc(12rem * ${y(tick) / SIZE} - 50%))` }}
            >
              {formatNumber(tick)}
            </span>
          ))}
        </div>
        <div
          className="relative h-48 min-w-0 flex-1 touch-pan-y"
          onPointerMove={chooseAt}
          onPointerDown={chooseAt}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && setChosen(null)}
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${SIZE} ${SIZE}`}
            preserveAspectRatio="none"
            className="pointer-events-none absolute inset-0 size-full overflow-visible"
          >
            {ticks.map((tick) => (
              <Line
                key={tick}
                from={{ x: 0, y: y(tick) }}
                to={{ x: SIZE, y: y(tick) }}
                vectorEffect="non-scaling-stroke"
                className={tick === 0 ? "stroke-line-strong" : "stroke-line"}
              />
            ))}
            {points.map(({ start, count }, i) => (
              <Bar
                key={start}
                x={x(i) ?? 0}
                y={y(count)}
                width={x.bandwidth()}
                height={SIZE - y(count)}
                className={`fill-accent forced-colors:fill-chosen ${active === null || active === i ? "" : "opacity-45"}`}
              />
            ))}
          </svg>
          <input
            type="range"
            aria-label={COUNT_PER_PERIOD[interval](name)}
            aria-valuetext={describe(active ?? last)}
            min={0}
            max={last}
            value={active ?? last}
            onChange={({ target }) => setChosen(target.valueAsNumber)}
            onFocus={() => setChosen((current) => current ?? last)}
            onBlur={() => setChosen(null)}
            className="chart-slider pointer-events-none absolute inset-0 size-full rounded-sm"
          />
        </div>
      </div>
      <div aria-hidden className="mt-2 flex justify-between gap-3 text-xs text-muted">
        {[...new Set([0, Math.floor(last / 2), last])].map((i) => (
          <span key={i} className="min-w-0">
            {shortPeriodName(points[i]?.start ?? "", interval)}
          </span>
        ))}
      </div>
    </div>
  );
}
