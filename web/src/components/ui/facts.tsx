import type { ReactNode } from "react";
import { formatChange, formatNumber } from "../../lib/locale-formats.ts";

const LOOKS = {
  /** Numbers, of which the first one is large. */
  totals: { list: "flex flex-wrap items-start gap-x-8 gap-y-3", value: "text-xl font-semibold tabular-nums" },
  figures: { list: "flex flex-wrap gap-x-8 gap-y-2", value: "font-medium tabular-nums" },
  grid: { list: "grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2", value: "" },
  rows: { list: "divide-y divide-line *:py-3 *:first:pt-0 *:last:pb-0", value: "font-medium tabular-nums" },
} as const;
const LARGE = "text-2xl leading-tight font-semibold tracking-tight tabular-nums";

/** A hint is below the value. */
export type Fact = readonly [name: string, value: ReactNode, hint?: ReactNode];

interface FactsProps {
  look: keyof typeof LOOKS;
  /** False is left out. */
  facts: readonly (Fact | false)[];
}

export function Facts({ look, facts }: FactsProps) {
  const { list, value: valueClass } = LOOKS[look];
  return (
    <dl className={list}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value, hint], index) => {
          const isLarge = look === "totals" && index === 0;
          return (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className={`wrap-anywhere ${isLarge ? LARGE : valueClass}`}>{value}</dd>
              {hint !== undefined && <dd className="min-h-5 text-sm text-pretty text-muted">{hint}</dd>}
            </div>
          );
        })}
    </dl>
  );
}

interface ChangeProps extends Record<"now" | "before", number | null | undefined> {
  /** The name of the other period. */
  of: string;
  format?: (value: number) => ReactNode;
  /** True if less is no loss. */
  isNeutral?: boolean;
}

/** How a number differs from that of another period, and that one, if both are known. */
export function Change({ now, before, of, format = formatNumber, isNeutral = false }: ChangeProps) {
  if (now == null || before == null) return null;
  const hundredths = before > 0 ? Math.round(100 * (now / before - 1)) : null;
  return (
    <span className="tabular-nums">
      {hundredths !== null && (
        <span className={`whitespace-nowrap ${hundredths < 0 && !isNeutral ? "text-danger" : ""}`}>
          <span aria-hidden>{hundredths > 0 ? "▲ " : hundredths < 0 ? "▼ " : ""}</span>
          {formatChange(hundredths / 100)}
        </span>
      )}
      {hundredths !== null && " · "}
      <span className="inline-block max-w-full">
        {of} {format(before)}
      </span>
    </span>
  );
}
