import type { EarningsRow, EarningsSums } from "@tapthru/proto/earnings";
import { formatMoney } from "@tapthru/proto/rules/money";
import type { ReactNode } from "react";
import { formatExactShare, formatNumber, LOCALE } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";

export const reportedUntil = (day: string) =>
  `Reports until ${day}. Days are those of Amazon, which may report sales and returns days later.`;

export type Figures = Omit<EarningsRow, "key" | "name" | "links" | "match">;

interface FiguresProps {
  figures: Figures;
}

interface AmountProps extends FiguresProps {
  /** Says in words what the amounts of the reports are. */
  isExplained?: boolean;
}

/**
 * Earnings in each currency of the reports. If the user's rates give another amount for all of them, that one comes first.
 */
export function Amount({ figures, isExplained = false }: AmountProps) {
  const { earnings, currency } = figures;
  const reported = reportedAmounts(figures);
  if (earnings === null || currency === null) {
    if (earnings === 0) return formatNumber(0);
    if (reported.length === 0) return <NotKnown isReported={false} />;
    return reported.map((text) => <Line key={text}>{text}</Line>);
  }
  const texts = isExplained ? [`converted; reported: ${LIST.format(reported)}`] : reported;
  return (
    <>
      {formatMoney(earnings, currency)}
      {isConverted(figures) &&
        texts.map((text) => (
          <Line key={text} className="text-sm font-normal text-muted">
            {text}
          </Line>
        ))}
    </>
  );
}

const LIST = new Intl.ListFormat(LOCALE);

const reportedAmounts = ({ sums }: Figures) =>
  sums.flatMap(({ earnings, currency }) => (earnings === null ? [] : formatMoney(earnings, currency)));

/** Whether the user's rates were used. */
export function isConverted({ sums, earnings, currency: own }: Figures): boolean {
  const isOther = (sum: EarningsSums) => sum.earnings !== null && sum.currency !== own;
  return earnings !== null && own !== null && sums.some(isOther);
}

function Line({ className = "", children }: { className?: string; children: string }) {
  return <span className={`block ${className}`}>{children}</span>;
}

export function PerClick({ figures: { earningsPerClick, earnings, sums, currency } }: FiguresProps) {
  if (earningsPerClick !== null && currency !== null) return formatMoney(earningsPerClick, currency, 1);
  return <NotKnown isReported={earnings !== null || sums.some((sum) => sum.earnings !== null)} />;
}

export function People({ people }: Pick<Figures, "people">) {
  return people === null ? <NotKnown /> : formatNumber(people);
}

/** Ordered items for each tap of a person. */
export function Conversion({ figures: { conversion, ordered } }: FiguresProps) {
  if (conversion === null) return <NotKnown isReported={ordered !== null} />;
  return formatExactShare(conversion);
}

/** The number of items in the reports. */
export function Items({ count }: { count: number | null }) {
  return count === null ? <NotKnown isReported={false} /> : formatNumber(count);
}

/** @param isReported whether the cause is not that a report is missing */
function NotKnown({ isReported = true }: { isReported?: boolean }) {
  const text = isReported ? "Not known" : "Not in the imported reports";
  return (
    <span title={text}>
      <span aria-hidden>–</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** Whether reports say anything about the days. */
export const areReported = ({ earnings, ordered, sums }: Figures): boolean =>
  earnings !== null || ordered !== null || sums.length > 0;

interface TotalProps {
  name: string;
  isLarge?: boolean;
  children: ReactNode;
}

function Total({ name, isLarge = false, children }: TotalProps) {
  return (
    <div className={isLarge ? "basis-full" : "min-w-0"}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd
        className={`font-semibold wrap-anywhere tabular-nums ${isLarge ? "text-headline leading-tight tracking-tight" : "text-xl"}`}
      >
        {children}
      </dd>
    </div>
  );
}

/** Earnings first. */
export function EarningsTotals({ figures }: FiguresProps) {
  return (
    <dl className="flex flex-wrap items-start gap-x-10 gap-y-4">
      <Total name="Earnings" isLarge>
        <Amount figures={figures} isExplained />
      </Total>
      <Total name="Per tap">
        <PerClick figures={figures} />
      </Total>
      <Total name={CLICK_CLASS_NAMES.person}>
        <People people={figures.people} />
      </Total>
      <Total name="Ordered">
        <Items count={figures.ordered} />
      </Total>
      <Total name="Ordered per tap">
        <Conversion figures={figures} />
      </Total>
      <Total name="Shipped">
        <Items count={figures.shipped} />
      </Total>
      <Total name="Returned">
        <Items count={figures.returned} />
      </Total>
    </dl>
  );
}
