import { notifyManager, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { LINKS_PAGE_MAX_SIZE } from "@tapthru/proto/rules/limits";
import { formatMoney } from "@tapthru/proto/rules/money";
import DataLoader from "dataloader";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../../lib/http/query-presets.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { EARNINGS_KEY } from "../../earnings/index.ts";

/** What people on a link's card see: a figure of each link, which cards that are shown together request together. */
function figureOptions<Figure>(key: readonly string[], list: (codes: string) => Promise<Map<string, Figure>>) {
  interface Wanted {
    client: QueryClient;
    shortCode: string;
  }
  const loader = new DataLoader<Wanted, Figure | null>(
    async (wanted) => {
      const found = await list([...new Set(wanted.map(({ shortCode }) => shortCode))].join(","));
      const results = wanted.map(({ shortCode }) => found.get(shortCode) ?? null);
      // Otherwise each card would be rendered on its own.
      notifyManager.batch(() => {
        for (const [i, { client, shortCode }] of wanted.entries()) client.setQueryData([...key, shortCode], results[i]);
      });
      return results;
    },
    { cache: false, maxBatchSize: LINKS_PAGE_MAX_SIZE },
  );
  return (shortCode: string) =>
    queryOptions({
      queryKey: [...key, shortCode],
      queryFn: ({ client }) => loader.load({ client, shortCode }),
      staleTime: LINKS_STALE_MS,
      retry: false,
    });
}

/** The taps of people on each of the last 30 days, today last; null if it never had any. */
const tapsOptions = figureOptions(["/api/clicks/links"], async (codes) => {
  const links = await callApi("GET /api/clicks/links", { query: { codes, tz: browserTimeZone() } });
  return new Map(links.map(({ shortCode, people }) => [shortCode, people]));
});

/** What a link earned in the last 30 days, if that is known of it alone. */
const earnedOptions = figureOptions([...EARNINGS_KEY, "links"], async (codes) => {
  const links = await callApi("GET /api/earnings/links", { query: { codes } });
  return new Map(links.map(({ shortCode, earnings, currency }) => [shortCode, formatMoney(earnings, currency)]));
});

/** Taps and earnings of the last 30 days. Keeps its space while they are unknown. */
export function LinkTaps({ shortCode, isDense = false }: { shortCode: string; isDense?: boolean }) {
  const { data } = useQuery(tapsOptions(shortCode));
  const { data: earned } = useQuery(earnedOptions(shortCode));
  const days = data ?? [];
  return (
    <p className={`flex shrink-0 items-center text-sm text-muted tabular-nums ${isDense ? "gap-3" : "mt-1 h-5 gap-2"}`}>
      {isDense && (
        <span className="w-20 text-right whitespace-nowrap">{data !== undefined && tapsText(sum(days))}</span>
      )}
      {!isDense && data !== undefined && <Taps days={days} isShort />}
      <span className={`whitespace-nowrap ${isDense ? "hidden w-20 text-right @xl:inline" : ""}`}>
        {earned && <span className="sr-only">Earned </span>}
        {earned}
      </span>
    </p>
  );
}

function tapsText(count: number): string {
  return formatCount(count, "tap");
}

const DAYS_OF_WEEK = 7;

interface TapsProps {
  days: readonly number[];
  /** Hides the period in a narrow box, except from screen readers. */
  isShort?: boolean;
}

export function Taps({ days, isShort = false }: TapsProps) {
  const total = sum(days);
  const week = formatNumber(sum(days.slice(-DAYS_OF_WEEK)));
  return (
    <>
      {total > 0 && (
        <Sparkline
          values={days}
          label={`At most ${formatNumber(Math.max(...days))} on one day, ${week} in the last 7 days.`}
        />
      )}
      <bdi>
        <span className="whitespace-nowrap tabular-nums">{tapsText(total)}</span>
        <span className={isShort ? "sr-only @lg:not-sr-only" : ""}> in 30 days</span>
      </bdi>
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface SparklineProps {
  /** At least two, from left to right in each language. */
  values: readonly number[];
  label: string;
}

/** Room for half of the line's width above the highest and below the lowest value. */
const MARGIN = 1;
const HEIGHT = 10;

/** A line without axes, stretched to its box. */
function Sparkline({ values, label }: SparklineProps) {
  const highest = Math.max(1, ...values);
  const last = values.length - 1;
  const y = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value / highest);
  const points = values.map((value, x) => `${x},${y(value).toFixed(2)}`).join(" ");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${last} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-4 w-16 min-w-0 text-accent"
    >
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
