import { useQuery } from "@tanstack/react-query";
import { openedShare } from "@tapthru/proto/rules/days";
import { formatMoney } from "@tapthru/proto/rules/money";
import { paths } from "@tapthru/proto/rules/paths";
import { Check, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Change } from "../../components/ui/facts.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Sparkline } from "../../components/ui/sparkline.tsx";
import { useChannels } from "../../features/channels/index.ts";
import { comparedClicksOptions } from "../../features/clicks/api.ts";
import { dailyRows, lastEarningsOptions, reportedUntilOptions } from "../../features/earnings/api.ts";
import { Amount, daysText, FigureChange } from "../../features/earnings/figures.tsx";
import { ImportReportsLink, MissingReports } from "../../features/earnings/import-reports.tsx";
import { Links } from "../../features/links/list/links.tsx";
import { useChosenAccount, usePermission } from "../../kit/can.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount, formatNumber, formatOpened, formatShare } from "../../lib/locale-formats.ts";
import { APP_OPENED } from "../../lib/names.ts";
import { DEFAULT_PERIOD } from "../../lib/period.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function Dashboard() {
  // The page may have said before that the account cannot be reached.
  usePageTitle("Your Links");
  return <Links summary={<DashboardFigures />} />;
}

const BOX =
  "flex min-h-16 flex-wrap gap-px overflow-hidden rounded-2xl border border-line bg-line *:grow *:bg-surface md:min-h-28 md:*:basis-40 md:*:px-4 lg:min-h-22";

/**
 * Shows what the account's links did in the last 30 days, each with its change; before the first tap ever, the steps that lead there. Below it,
 * what breaks Amazon's rules. Keeps its space while these are unknown.
 */
function DashboardFigures() {
  const { data: clicks } = useQuery(comparedClicksOptions({ shortCode: null, period: DEFAULT_PERIOD }));
  const { data: earnings } = useQuery(lastEarningsOptions);
  const hasSteps = usePermission("POST /api/links") && clicks?.hasTaps === false;
  const Content = hasSteps ? FirstSteps : Figures;
  return (
    <section className="mb-1">
      <Content />
      <p className="flex min-h-6 flex-wrap gap-x-4 text-sm leading-6">
        {!hasSteps && (
          <span className="text-pretty text-muted">
            Last 30 days, and the 30 before
            {earnings?.reportedUntil && `. Earnings: ${daysText({ ...earnings, before: undefined }, earnings.totals)}`}
          </span>
        )}
        <MissingReports missing={earnings?.missing ?? null} />
        <Violations />
      </p>
    </section>
  );
}

function FirstSteps() {
  const channels = useChannels();
  const { data: reportedUntil } = useQuery(reportedUntilOptions);
  const steps = [
    ["Save your tag", paths.stores, channels.some(({ tags }) => tags.length > 0)],
    ["Link in your bio", paths.linkCreation, false],
    ["Import a report", paths.earningsImport, reportedUntil != null],
  ] as const;
  return (
    <nav aria-label="First steps" className={BOX}>
      {steps.map(([text, to, isDone], index) => (
        <PageLink
          key={text}
          to={to}
          className="flex basis-24 items-center gap-1.5 border border-transparent p-1.5 text-sm hover:text-accent md:text-md"
        >
          <span className="grid size-5 shrink-0 place-items-center rounded-full bg-sunken font-medium">
            {isDone ? <Check role="img" aria-label="Done:" className="size-4 text-accent" /> : index + 1}
          </span>
          {text}
        </PageLink>
      ))}
    </nav>
  );
}

/** Violations of Amazon's rules. The page that lists them is their owner's. */
function Violations() {
  const isOwn = useChosenAccount() === null;
  const { data } = useQuery({
    ...queryOf("GET /api/compliance-report", { query: { newest: String(NEWEST) } }),
    ...ONCE,
    enabled: isOwn,
  });
  if (!isOwn || !data || data.violationCount === 0) return null;
  return (
    <PageLink
      to={paths.ownData}
      className="ml-auto flex items-center gap-1.5 rounded-lg border border-transparent bg-notice px-2 text-notice-ink underline"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      {data.linkCount < NEWEST ? "" : "At least "}
      {formatCount(data.violationCount, "violation")}
      <span className="max-md:sr-only"> of Amazon's rules</span>
    </PageLink>
  );
}

/** The page of the account's data counts violations in all links, which takes too long here. */
const NEWEST = 200;
const ONCE = { staleTime: 3_600_000, refetchOnWindowFocus: false, retry: false };

function Figures() {
  const mayImport = usePermission("POST /api/earnings/imports");
  const { data: clicks } = useQuery(comparedClicksOptions({ shortCode: null, period: DEFAULT_PERIOD }));
  const { data: earnings } = useQuery(lastEarningsOptions);
  const { totals: taps, before: tapsBefore, series = [] } = clicks ?? {};
  const { totals, currency = null, reportedUntil } = earnings ?? {};
  const changeOf = (figure: "earnings" | "earningsPerClick") => (
    <FigureChange now={totals} before={earnings?.before?.totals} figure={figure} />
  );
  const days = earnings && currency !== null ? dailyRows(earnings) : [];
  const money = (amount: number | null, digits = 0) =>
    totals?.currency && amount !== null ? formatMoney(amount, totals.currency, digits) : null;
  return (
    <dl className={BOX}>
      <Figure
        name="Earnings"
        value={
          mayImport && reportedUntil === null ? (
            <ImportReportsLink className={`${textLinkClass} text-sm`} />
          ) : (
            totals && (money(totals.earnings) ?? <Amount figures={totals} />)
          )
        }
        change={changeOf("earnings")}
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
        change={changeOf("earningsPerClick")}
        line={days.map(({ row }) => row?.earningsPerClick ?? 0)}
        format={(amount) => money(amount, 1)}
      />
      <Figure
        name={APP_OPENED}
        value={taps && formatOpened(taps)}
        change={
          <Change
            now={taps && openedShare(taps)}
            before={tapsBefore && openedShare(tapsBefore)}
            of="before"
            format={formatShare}
          />
        }
        line={series.map(({ opened }) => opened)}
      />
    </dl>
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
    <div className="grid min-w-0 content-start gap-x-3 p-2 lg:grid-cols-[auto_auto_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-h-6 font-semibold tabular-nums wrap-anywhere md:min-h-8 md:text-xl lg:col-span-2 lg:col-start-1 lg:row-start-2">
        {value}
      </dd>
      <dd className="text-sm text-muted max-md:sr-only lg:col-span-2 lg:col-start-2 lg:row-start-1 lg:text-right">
        {change}
      </dd>
      <dd className="max-lg:sr-only lg:col-start-3 lg:row-start-2">
        {line.some((each) => each !== 0) && <Sparkline values={line} label={label} size="wide" />}
      </dd>
    </div>
  );
}
