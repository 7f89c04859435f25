import { useQuery } from "@tanstack/react-query";
import { formatMoney } from "@tapthru/proto/rules/money";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Change } from "../../components/ui/facts.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Sparkline } from "../../components/ui/sparkline.tsx";
import { comparedClicksOptions } from "../../features/clicks/api.ts";
import { comparedEarningsOptions, dailyRows } from "../../features/earnings/api.ts";
import { Amount, untilText } from "../../features/earnings/figures.tsx";
import { ImportReportsLink, MissingReports } from "../../features/earnings/import-reports.tsx";
import { useMay } from "../../kit/may.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { DEFAULT_PERIOD } from "../../lib/period.ts";

/** What the account's links did in the last 30 days, each with its change. Keeps its space while that is unknown. */
export function DashboardFigures() {
  const { data: earnings } = useQuery(comparedEarningsOptions);
  return (
    <section aria-label="The last 30 days" className="mb-2">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-4">
        <Figures />
      </dl>
      <div className="mt-2 flex min-h-11 flex-wrap items-center gap-x-4 text-sm">
        <span className="text-muted">The last 30 days, and the 30 before</span>
        <PageLink to={paths.clicks} className={`${textLinkClass} inline-flex min-h-11 items-center`}>
          All clicks
        </PageLink>
        <MissingReports missing={earnings?.daily.missing ?? null} />
      </div>
    </section>
  );
}

function Figures() {
  const mayImport = useMay("POST /api/earnings/imports");
  const { data: clicks } = useQuery(comparedClicksOptions({ shortCode: null, period: DEFAULT_PERIOD }));
  const { data: earnings } = useQuery(comparedEarningsOptions);
  const { totals: taps, before: tapsBefore, series = [] } = clicks ?? {};
  const { totals, currency = null, reportedUntil, earningsUntil = null } = earnings?.daily ?? {};
  const before = earnings?.before?.currency === totals?.currency ? earnings?.before : null;
  const changeOf = (field: "earnings" | "earningsPerClick", digits: number) => (
    <Change now={totals?.[field]} before={before?.[field]} of="before" format={(amount) => money(amount, digits)} />
  );
  const days = earnings && currency !== null ? dailyRows(earnings.daily) : [];
  const [share, shareBefore] = [taps, tapsBefore].map((sum) => (sum?.person ? sum.opened / sum.person : null));
  const money = (amount: number | null, digits = 0) =>
    totals?.currency && amount !== null ? formatMoney(amount, totals.currency, digits) : null;
  return (
    <>
      <Figure
        name="Earnings"
        value={
          mayImport && reportedUntil === null ? (
            <ImportReportsLink className={`${textLinkClass} inline-flex min-h-11 items-center text-sm`} />
          ) : (
            totals && (money(totals.earnings) ?? <Amount figures={totals} />)
          )
        }
        change={
          <>
            {untilText(earningsUntil)} {changeOf("earnings", 0)}
          </>
        }
        line={days.map(({ row }) => row?.earnings ?? 0)}
        format={money}
      />
      <Figure
        name="Taps"
        value={taps && formatNumber(taps.person)}
        change={<Change now={taps?.person} before={tapsBefore?.person} of="before" />}
        line={series.map(({ person }) => person)}
      />
      <Figure
        name="Per tap"
        value={totals && (money(totals.earningsPerClick, 1) ?? "–")}
        change={changeOf("earningsPerClick", 1)}
        line={days.map(({ row }) => row?.earningsPerClick ?? 0)}
        format={(amount) => money(amount, 1)}
      />
      <Figure
        name="App opened"
        value={taps && (share == null ? "–" : formatShare(share))}
        change={<Change now={share} before={shareBefore} of="before" format={formatShare} />}
        line={series.map(({ opened }) => opened)}
      />
    </>
  );
}

interface FigureProps {
  name: string;
  /** Undefined while it is unknown. */
  value: ReactNode;
  change: ReactNode;
  line?: readonly number[] | undefined;
  format?: (value: number) => string | null;
}

function Figure({ name, value, change, line = [], format = formatNumber }: FigureProps) {
  const label = `${name} by day, at most ${format(Math.max(...line))}`;
  return (
    <div className="flex min-h-32 min-w-0 flex-col bg-surface p-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 text-xl font-semibold tabular-nums wrap-anywhere">
        {value}
        <span className="text-sm font-medium text-muted">{change}</span>
      </dd>
      <dd className="mt-auto">
        {line.some((each) => each !== 0) && <Sparkline values={line} label={label} size="wide" />}
      </dd>
    </div>
  );
}
