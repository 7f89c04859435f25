import type { ClickTotals as Totals } from "@tapthru/proto/clicks";
import { formatChange, formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";

interface ClickTotalsProps {
  totals: Totals;
  /** The totals of the preceding period. */
  before: Totals;
}

/** Taps of people first; visitors are an estimate. */
export function ClickTotals({ totals, before }: ClickTotalsProps) {
  return (
    <dl className="flex flex-wrap items-start gap-x-10 gap-y-4">
      <Total name={CLICK_CLASS_NAMES.person} value={totals.person} isLarge>
        {comparison(totals.person, before.person)}
      </Total>
      <Total name="Visitors (estimate)" value={totals.visitors} />
      <Total name="App openings" value={totals.opened} />
    </dl>
  );
}

interface TotalProps {
  name: string;
  value: number;
  isLarge?: boolean;
  children?: string | undefined;
}

function Total({ name, value, isLarge = false, children }: TotalProps) {
  return (
    <div className={isLarge ? "basis-full" : "min-w-0"}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd
        className={`font-semibold wrap-anywhere tabular-nums ${isLarge ? "text-headline leading-tight tracking-tight" : "text-xl"}`}
      >
        {formatNumber(value)}
      </dd>
      {isLarge && <dd className="mt-1 min-h-5 text-sm text-muted">{children}</dd>}
    </div>
  );
}

function comparison(now: number, before: number): string {
  if (before === 0) return "None in the previous period";
  if (now === before) return "As many as in the previous period";
  return `${formatChange(now / before - 1)} compared with the previous period`;
}
