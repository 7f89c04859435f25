import type { EarningsRow, EarningsSums } from "@tapthru/proto/http/earnings";
import { messages } from "@tapthru/proto/rules/messages";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import type { ReactNode } from "react";
import { formatExactShare, formatNumber } from "../../lib/locale-formats.ts";
import { formatMoney, formatMoneyPerClick } from "../../lib/money.ts";

export type Figures = Pick<EarningsRow, "sums" | "earnings" | "people" | "earningsPerClick">;

interface FiguresProps {
  figures: Figures;
  /** Of `earnings` and `earningsPerClick`. */
  currency: string | null;
}

/**
 * Earnings in each currency of the reports. If the user's rates give another amount for all of them, that one comes first.
 */
export function Amount({ figures: { sums, earnings }, currency }: FiguresProps) {
  const own = sums.map((sum) => formatMoney(sum.earnings, sum.currency));
  if (currency === null || earnings === null) {
    if (own.length === 0) return formatNumber(0);
    return own.map((text) => (
      <span key={text} className="block">
        {text}
      </span>
    ));
  }
  const all = formatMoney(earnings, currency);
  const others = own.filter((text) => text !== all);
  return (
    <>
      {all}
      {others.map((text) => (
        <span key={text} className="block text-sm font-normal text-muted">
          {text}
        </span>
      ))}
    </>
  );
}

export function PerClick({ figures: { earningsPerClick }, currency }: FiguresProps) {
  if (earningsPerClick === null || currency === null) return <NotKnown />;
  return formatMoneyPerClick(earningsPerClick, currency);
}

export function People({ people }: Pick<Figures, "people">) {
  return people === null ? <NotKnown /> : formatNumber(people);
}

/** Ordered items for each tap of a person. */
export function Conversion({ sums, people }: Pick<Figures, "sums" | "people">) {
  return people === null || people === 0 ? (
    <NotKnown />
  ) : (
    formatExactShare(countOf(sums, "ordered") / people)
  );
}

/** Items of all currencies. */
export function countOf(sums: readonly EarningsSums[], item: "ordered" | "shipped" | "returned") {
  return sums.reduce((count, sum) => count + sum[item], 0);
}

function NotKnown() {
  return (
    <>
      <span aria-hidden>{figureTexts.notKnown}</span>
      <span className="sr-only">{figureTexts.notKnownText}</span>
    </>
  );
}

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
export function EarningsTotals({ figures, currency }: FiguresProps) {
  const { sums, people } = figures;
  return (
    <dl className="flex flex-wrap items-start gap-x-10 gap-y-4">
      <Total name={messages.earnings} isLarge>
        <Amount figures={figures} currency={currency} />
      </Total>
      <Total name={figureTexts.earningsPerClick}>
        <PerClick figures={figures} currency={currency} />
      </Total>
      <Total name={messages.clickClasses.person}>
        <People people={people} />
      </Total>
      <Total name={figureTexts.ordered}>{formatNumber(countOf(sums, "ordered"))}</Total>
      <Total name={figureTexts.conversion}>
        <Conversion sums={sums} people={people} />
      </Total>
      <Total name={figureTexts.shipped}>{formatNumber(countOf(sums, "shipped"))}</Total>
      <Total name={figureTexts.returned}>{formatNumber(countOf(sums, "returned"))}</Total>
    </dl>
  );
}
