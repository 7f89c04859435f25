import { notifyManager, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { LINKS_PAGE_MAX_SIZE } from "@tapthru/proto/rules/limits";
import { formatMoney } from "@tapthru/proto/rules/money";
import DataLoader from "dataloader";
import { Sparkline } from "../../../components/ui/sparkline.tsx";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../../lib/http/query-presets.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { EARNINGS_KEY, untilText } from "../../earnings/index.ts";

/** A figure of each link, which cards that are shown together request together. */
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

/** The earnings of a link in the last 30 days of reports, if they are known of it alone. */
const earnedOptions = figureOptions([...EARNINGS_KEY, "links"], async (codes) => {
  const links = await callApi("GET /api/earnings/links", { query: { codes } });
  return new Map(links.map(({ shortCode, ...earned }) => [shortCode, earned]));
});

export function LinkClicks({ shortCode }: { shortCode: string }) {
  const { data } = useQuery(tapsOptions(shortCode));
  return data !== undefined && <Taps days={data ?? []} />;
}

export function LinkEarned({ shortCode }: { shortCode: string }) {
  const { data: earned } = useQuery(earnedOptions(shortCode));
  return (
    earned && (
      <span title={`30 days ${untilText(earned.until, earned.ratesDay)}`}>
        <span className="sr-only">Earned </span>
        {formatMoney(earned.earnings, earned.currency)}
        <span className="sr-only">{` ${untilText(earned.until, earned.ratesDay)}`}</span>
      </span>
    )
  );
}

const DAYS_OF_WEEK = 7;

function Taps({ days }: { days: readonly number[] }) {
  const total = sum(days);
  const week = formatNumber(sum(days.slice(-DAYS_OF_WEEK)));
  return (
    <>
      {total > 0 && (
        <span className="hidden @5xl:contents">
          <Sparkline
            values={days}
            label={`At most ${formatNumber(Math.max(...days))} on one day, ${week} in the last 7 days.`}
          />
        </span>
      )}
      {/* The column header says what the number is. */}
      <bdi className="whitespace-nowrap @2xl:text-md @2xl:text-ink @5xl:w-14">
        {formatNumber(total)}
        <span className="@2xl:sr-only">{total === 1 ? " tap" : " taps"}</span>
        <span className="sr-only"> in 30 days</span>
      </bdi>
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
