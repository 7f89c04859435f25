import type { Earned, EarningsOrder, EarningsRow, EarningsSums, ReportDays } from "@tapthru/proto/earnings";
import type { Days } from "@tapthru/proto/rules/days";
import { formatMoney } from "@tapthru/proto/rules/money";
import { Change, Facts } from "../../components/ui/facts.tsx";
import type { Column } from "../../components/ui/table.tsx";
import { formatDays } from "../../lib/dates.ts";
import { formatCount, formatExactShare, formatList, formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";

export const DAYS_OF_AMAZON =
  "Days are Amazon's, which may report sales and returns days later. Taps of a day are counted in UTC.";

type ShownDays = Pick<ReportDays, "from" | "to" | "stores" | "ratesDay"> & { before?: Days | undefined };

/** Says once, for all figures of a card, of which days they are, such as "Nov 1 – 29, amazon.com until Nov 29, others Nov 28". */
export function DaysNote({ days, figures }: { days: ShownDays; figures?: Sums }) {
  return <p className="text-sm text-pretty text-muted">{daysText(days, figures)}</p>;
}

/** @param figures without them, no rates are named */
export function daysText({ from, to, stores, ratesDay, before }: ShownDays, figures?: Sums): string {
  const untils = (field: "earningsUntil" | "ordersUntil") =>
    stores.flatMap(({ marketplace, [field]: day }) => (day === null ? [] : { store: `amazon.${marketplace}`, day }));
  const earnings = untilText(untils("earningsUntil"), to);
  const orders = untilText(untils("ordersUntil"), to);
  const hasOrdersOnly = !stores.some(({ earningsUntil }) => earningsUntil !== null);
  return [
    formatDays(from, to),
    stores.length > 0 && (earnings || "what Amazon has reported"),
    orders !== (hasOrdersOnly ? "" : earnings) &&
      untils("ordersUntil").length > 0 &&
      `orders ${orders || untilDay(to)}`,
    ratesDay && figures && isConverted(figures) && `at the rates of ${formatDays(ratesDay, ratesDay)}`,
    before && `against ${formatDays(before.from, before.to)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

const untilDay = (day: string) => `until ${formatDays(day, day)}`;

/** Empty if all stores have the whole period. The stores whose reports end first are the others. */
function untilText(untils: readonly { store: string; day: string }[], to: string): string {
  const [last = to, ...earlier] = [...new Set(untils.map(({ day }) => day))].sort().reverse();
  if (earlier.length === 0) return last === to ? "" : untilDay(last);
  return [last, ...earlier]
    .map((day) => {
      const stores = untils.flatMap((each) => (each.day === day ? each.store : []));
      const isRest = day === earlier.at(-1) && stores.length > 1;
      return isRest ? `others ${formatDays(day, day)}` : `${formatList(stores)} ${untilDay(day)}`;
    })
    .join(", ");
}

export type Figures = Omit<EarningsRow, "key" | "name" | "links" | "match">;
type Sums = Pick<Figures, "sums" | "earnings" | "currency">;

/** What a link earned by sales of its own, and by those that it shares. */
export function EarnedAmount({ earned: { shared, ...own } }: { earned: Earned }) {
  const hasOwn = own.earnings === null ? own.sums.length > 1 : own.earnings !== 0;
  if (shared === null) return <Amount figures={own} />;
  return (
    <>
      {hasOwn && (
        <>
          <Amount figures={own} />
          {" and "}
        </>
      )}
      {shared.earnings === null || shared.currency === null ? "shared" : formatMoney(shared.earnings, shared.currency)}
      <span className="text-sm font-normal text-muted">{` with ${formatCount(shared.links, "other link")}`}</span>
    </>
  );
}

/**
 * Earnings in each currency of the reports. If the user's rates give another amount for all of them, that one comes first.
 */
export function Amount({ figures }: { figures: Sums }) {
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

const reportedAmounts = ({ sums }: Pick<Figures, "sums">) =>
  sums.flatMap(({ earnings, currency }) => (earnings === null ? [] : formatMoney(earnings, currency)));

export function isConverted({ sums, earnings, currency: own }: Sums): boolean {
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

type Compared = (typeof COMPARED)[string];

interface FigureChangeProps {
  now: Figures | undefined;
  /** Of the days before. */
  before: Figures | undefined;
  figure: Compared;
}

/** How a figure differs from that of the days before, if both are in one currency. */
export function FigureChange({ now, before, figure }: FigureChangeProps) {
  const { currency } = now ?? {};
  if (before === undefined || before.currency !== currency) return null;
  const digits = { earnings: 0, earningsPerClick: 1 }[String(figure)];
  const format =
    digits === undefined || !currency ? {} : { format: (sum: number) => formatMoney(sum, currency, digits) };
  return (
    <Change {...format} now={now?.[figure]} before={before[figure]} of="before" isNeutral={figure === "returned"} />
  );
}

/** @param shared of a link: what it earned with others */
export function EarningsTotals({
  figures,
  before,
  shared = null,
}: Omit<FigureChangeProps, "figure" | "now"> & { figures: Figures; shared?: Earned["shared"] }) {
  // Of sales that are shared, the rows of the shared products say more.
  const isShown = (name: string) => shared === null || figures[COMPARED[name] ?? "conversion"] !== null;
  const others = FIGURES.slice(1).filter(({ name }) => isShown(name));
  const beforeOfEach = figures.currency === null && before !== undefined ? reportedAmounts(before) : [];
  const change = (figure: Compared | undefined) =>
    figure && <FigureChange now={figures} before={before} figure={figure} />;
  return (
    <Facts
      look="totals"
      facts={[
        [
          "Earnings",
          <EarnedAmount key="" earned={{ ...figures, shared }} />,
          beforeOfEach.length > 0 ? `before ${formatList(beforeOfEach)}` : change("earnings"),
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
