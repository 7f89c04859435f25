import type { ClickInterval } from "@tapthru/proto/clicks";
import { type PointerEvent, useState } from "react";
import { formatChange, LOCALE } from "../../lib/locale-formats.ts";

/** A null value means that nothing is known. */
interface Bar {
  start: string;
  value: number | null;
}

interface ChartProps {
  name: string;
  interval: ClickInterval;
  /** The period with which it is compared. */
  nameBefore?: string | undefined;
  /** `before`: the bar of that period, a light one beside it. */
  points: readonly (Bar & { before?: Bar | undefined })[];
  format: (value: number) => string;
  /** Called with the start of a bar that is pressed, with Enter also. A finger shows the bar's value first. */
  onSelect?: ((start: string) => void) | undefined;
}

/** Width and height of the SVG in its own units. It is stretched; text is outside it, where it keeps its size. */
const SIZE = 100;
const BAR_SHARE = 0.75;

/**
 * Bars of integers over time, from left to right in each language. With a transparent slider, keys move from bar to bar,
 * and screen readers read the bars out.
 */
export function Chart({ name, nameBefore = "before", interval, points, format, onSelect }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  /** The bar that was shown when the pointer was pressed. */
  const [pressed, setPressed] = useState<number | null>(null);
  const last = points.length - 1;
  const values = points.map(({ value }) => value ?? 0);
  const befores = points.map(({ before }) => before?.value ?? 0);
  const hasBefore = befores.some((value) => value !== 0);
  const highest = values.indexOf(Math.max(...values));
  const active = chosen === null ? null : Math.min(chosen, last);

  const ticks = ticksOf(Math.min(0, ...values, ...befores), Math.max(1, ...values, ...befores));
  const [lowestTick = 0, highestTick = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => (SIZE * (highestTick - value)) / (highestTick - lowestTick);
  const width = SIZE / points.length;

  const timeOf = (index: number) => periodName(points[index]?.start ?? "", interval);
  function amountOf(index: number): string {
    const value = points[index]?.value ?? null;
    return value === null ? "Not known" : format(value);
  }

  function beforeOf(index: number): string | null {
    const { value = null, before } = points[index] ?? {};
    if (before === undefined || before.value === null) return null;
    const change = value === null || before.value <= 0 ? "" : ` (${formatChange(value / before.value - 1)})`;
    return `${periodName(before.start, interval)}: ${format(before.value)}${change}`;
  }

  function barAt({ clientX, currentTarget }: PointerEvent) {
    const { left, width: shownWidth } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / shownWidth) * points.length);
    return Math.max(0, Math.min(last, index));
  }

  function select(index: number) {
    const bar = points[index];
    if (bar) onSelect?.(bar.start);
  }

  return (
    <div dir="ltr" className="min-h-56">
      <p className="mb-3 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{`Highest: ${amountOf(highest)} (${timeOf(highest)})`}</span>
        {hasBefore && (
          <span>
            <span aria-hidden className="mr-1.5 inline-block size-2.5 bg-line-strong/60" />
            {nameBefore}
          </span>
        )}
      </p>
      <div className="flex gap-2">
        <div className="grid items-start text-sm text-muted tabular-nums" aria-hidden>
          {ticks.map((tick) => (
            // All numbers are in one cell of the grid, which is therefore as wide as the widest of them.
            <span
              key={tick}
              className="col-start-1 row-start-1 text-right"
              style={{ transform: `translateY(calc(10rem * ${y(tick) / SIZE} - 50%))` }}
            >
              {format(tick)}
            </span>
          ))}
        </div>
        <div
          className={`relative h-40 min-w-0 flex-1 touch-pan-y ${onSelect ? "cursor-pointer" : ""}`}
          onPointerMove={(event) => setChosen(barAt(event))}
          onPointerDown={(event) => {
            setPressed(active);
            setChosen(barAt(event));
          }}
          onPointerUp={(event) => event.button === 0 && barAt(event) === pressed && select(pressed)}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && setChosen(null)}
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${SIZE} ${SIZE}`}
            preserveAspectRatio="none"
            className="pointer-events-none absolute inset-0 size-full overflow-visible"
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                x1={0}
                x2={SIZE}
                y1={y(tick)}
                y2={y(tick)}
                vectorEffect="non-scaling-stroke"
                className={tick === 0 ? "stroke-line-strong" : "stroke-line"}
              />
            ))}
            {points.map(({ start, value }, i) => {
              const barWidth = (width * BAR_SHARE) / (hasBefore ? 2 : 1);
              const bar = (amount: number, place: number) => ({
                x: width * (i + (1 - BAR_SHARE) / 2) + place * barWidth,
                y: y(Math.max(0, amount)),
                width: barWidth,
                height: Math.abs(y(amount) - y(0)),
              });
              return (
                <g key={start}>
                  {befores[i] ? <rect {...bar(befores[i], 0)} className="fill-line-strong/60" /> : null}
                  <rect
                    {...bar(value ?? 0, hasBefore ? 1 : 0)}
                    className={`forced-colors:fill-chosen ${active === null || active === i ? "fill-accent" : "fill-accent-quiet"}`}
                  />
                </g>
              );
            })}
          </svg>
          {active !== null && (
            <p
              aria-hidden
              className="pointer-events-none absolute z-1 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-sm whitespace-nowrap shadow-card"
              style={tooltipPlace((active + 0.5) / points.length, y(Math.max(values[active] ?? 0, 0)) / SIZE)}
            >
              <span className="text-muted">{timeOf(active)}: </span>
              <span className="font-medium tabular-nums">{amountOf(active)}</span>
              <span className="block text-muted tabular-nums">{beforeOf(active)}</span>
            </p>
          )}
          <input
            type="range"
            aria-label={nameByInterval(name, interval)}
            aria-valuetext={[`${timeOf(active ?? last)}: ${amountOf(active ?? last)}`, beforeOf(active ?? last) ?? []]
              .flat()
              .join(", ")}
            min={0}
            max={last}
            value={active ?? last}
            onChange={({ target }) => setChosen(target.valueAsNumber)}
            onKeyDown={({ key }) => key === "Enter" && active !== null && select(active)}
            onFocus={() => setChosen((current) => current ?? last)}
            onBlur={() => setChosen(null)}
            className="chart-slider pointer-events-none absolute inset-0 size-full rounded-sm"
          />
        </div>
      </div>
      <div aria-hidden className="mt-2 flex justify-between gap-3 text-sm text-muted">
        {[...new Set([0, Math.floor(last / 2), last])].map((i) => (
          <span key={i} className="min-w-0">
            {SHORT_FORMATS[interval].format(new Date(points[i]?.start ?? ""))}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Above a bar, and within the chart. Both are shares of the chart's size, from the left and from the top. */
const tooltipPlace = (left: number, top: number) => ({
  left: `${100 * left}%`,
  top: `${100 * top}%`,
  transform: `translate(-${100 * left}%, calc(-100% - 0.25rem))`,
});

const TICK_STEPS = [1, 2, 5];

/** Round integers, about a third of the range apart, that enclose it. */
function ticksOf(lowest: number, highest: number): number[] {
  const least = Math.max(1, (highest - lowest) / 3);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (TICK_STEPS.find((each) => each * power >= least) ?? 10);
  const [first, last] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

export const nameByInterval = (name: string, interval: ClickInterval) => `${name} by ${interval}`;

const FORMATS: Record<ClickInterval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(LOCALE, { weekday: "short", month: "short", day: "numeric" }),
  week: new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" }),
  month: new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" }),
};
const SHORT_FORMATS: Record<ClickInterval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(LOCALE, { hour: "numeric", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" }),
  week: new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", year: "2-digit" }),
  month: new Intl.DateTimeFormat(LOCALE, { month: "short", year: "2-digit" }),
};

export function periodName(start: string, interval: ClickInterval): string {
  const name = FORMATS[interval].format(new Date(start));
  return interval === "week" ? `Week from ${name}` : name;
}
