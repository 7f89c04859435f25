import type { EarningsOrder, EarningsRow, EarningsSums } from "@tapthru/proto/earnings";
import { formatMoney } from "@tapthru/proto/rules/money";
import { Change, Facts } from "../../components/ui/facts.tsx";
import type { Column } from "../../components/ui/table.tsx";
import { formatDays } from "../../lib/dates.ts";
import { formatExactShare, formatList, formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";

export const DAYS_OF_AMAZON = "Days are Amazon's, which may report sales and returns days later.";

/** Until when earnings are reported. @param day the last day of the reports; null: none has a day of the period */
export const untilText = (day: string | null, ratesDay: string | null = null) =>
  [day && `until ${formatDays(day, day)}`, ratesDay && `at the rates of ${formatDays(ratesDay, ratesDay)}`]
    .filter(Boolean)
    .join(", ");

/** The day of the reference rates in a sum, if it is one of several currencies. */
export const ratesDayOf = ({ ratesDay = null, ...figures }: Figures & { ratesDay?: string | null | undefined }) =>
  isConverted(figures) ? ratesDay : null;

export type Figures = Omit<EarningsRow, "key" | "name" | "links" | "match">;

/**
 * Earnings in each currency of the reports. If the user's rates give another amount for all of them, that one comes first.
 */
export function Amount({ figures }: { figures: Figures }) {
  const { earnings, currency } = figures;
  const reported = reportedAmounts(figures);
  if (earnings === null || currency === null) {
    if (earnings === 0) return formatNumber(0);
    if (reported.length === 0) return <NotKnown isReported={false} />;
    return reported.map((text) => <Line key={text}>{text}</Line>);
  }
  return (
    <>
      {formatMoney(earnings, currency)}
      {isConverted(figures) &&
        reported.map((text, index) => (
          <Line key={text} className="text-sm font-normal text-muted">
            {`${index === 0 ? "from" : "and"} ${text}`}
          </Line>
        ))}
    </>
  );
}

const reportedAmounts = ({ sums }: Figures) =>
  sums.flatMap(({ earnings, currency }) => (earnings === null ? [] : formatMoney(earnings, currency)));

export function isConverted({ sums, earnings, currency: own }: Figures): boolean {
  const isOther = (sum: EarningsSums) => sum.earnings !== null && sum.currency !== own;
  return earnings !== null && own !== null && sums.some(isOther);
}

function Line({ className = "", children }: { className?: string; children: string }) {
  return <span className={`block ${className}`}>{children}</span>;
}

/** @param isReported whether the cause is not that a report is missing */
export function NotKnown({ isReported = true }: { isReported?: boolean | undefined }) {
  const text = isReported ? "Not known" : "Not in the imported reports";
  return (
    <span title={text}>
      <span aria-hidden>–</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

const count = (value: number | null, isReported?: boolean) =>
  value === null ? <NotKnown isReported={isReported} /> : formatNumber(value);

/** Beside the name there is no room for it on a phone, where a line below the name has it. */
const WIDE = "max-sm:hidden";

/** In the order of the columns. Rows can be ordered by those with an order. */
export const FIGURES: readonly Column<Figures, EarningsOrder>[] = [
  { name: "Earnings", order: "earnings", cell: (figures) => <Amount figures={figures} /> },
  {
    name: "Per tap",
    order: "earnings-per-click",
    className: WIDE,
    cell({ earningsPerClick, earnings, sums, currency }) {
      if (earningsPerClick !== null && currency !== null) return formatMoney(earningsPerClick, currency, 1);
      return <NotKnown isReported={earnings !== null || sums.some((sum) => sum.earnings !== null)} />;
    },
  },
  { name: CLICK_CLASS_NAMES.person, order: "people", className: WIDE, cell: ({ people }) => count(people) },
  { name: "Ordered", order: "ordered", className: WIDE, cell: ({ ordered }) => count(ordered, false) },
  {
    name: "Ordered per tap",
    order: "conversion",
    className: WIDE,
    cell: ({ conversion, ordered }) =>
      conversion === null ? <NotKnown isReported={ordered !== null} /> : formatExactShare(conversion),
  },
  { name: "Shipped", cell: ({ shipped }) => count(shipped, false) },
  { name: "Returned", order: "returned", className: WIDE, cell: ({ returned }) => count(returned, false) },
];

interface EarningsTotalsProps {
  figures: Figures;
  until: string | null;
  ratesDay?: string | null | undefined;
  before?: Figures | undefined;
  /** The name of the period before. */
  nameBefore: string | undefined;
}

export function EarningsTotals({ figures, until, ratesDay, before, nameBefore = "" }: EarningsTotalsProps) {
  const [, ...others] = FIGURES;
  const { currency } = figures;
  function change(field: (typeof COMPARED)[string] | undefined) {
    if (field === undefined || before === undefined || before.currency !== currency) return null;
    const digits = { earnings: 0, earningsPerClick: 1 }[String(field)];
    const format =
      digits === undefined || currency === null ? {} : { format: (sum: number) => formatMoney(sum, currency, digits) };
    return (
      <Change
        {...format}
        now={figures[field]}
        before={before[field]}
        of={nameBefore}
        isNeutral={field === "returned"}
      />
    );
  }
  const beforeOfEach = currency === null && before !== undefined ? reportedAmounts(before) : [];
  return (
    <Facts
      look="totals"
      facts={[
        [
          "Earnings",
          <Amount key="" figures={figures} />,
          <>
            <span className="block">{untilText(until, ratesDayOf({ ...figures, ratesDay }))}</span>
            {beforeOfEach.length > 0 ? `${nameBefore} ${formatList(beforeOfEach)}` : change("earnings")}
          </>,
        ],
        ...others.map(({ name, cell }) => [name, cell(figures), change(COMPARED[name])] as const),
      ]}
    />
  );
}

const COMPARED: Record<string, "earnings" | "earningsPerClick" | "people" | "ordered" | "shipped" | "returned"> = {
  "Per tap": "earningsPerClick",
  [CLICK_CLASS_NAMES.person]: "people",
  Ordered: "ordered",
  Shipped: "shipped",
  Returned: "returned",
};

export const areReported = ({ earnings, ordered, sums }: Figures): boolean =>
  earnings !== null || ordered !== null || sums.length > 0;
