import { keepPreviousData, type QueryClient, type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Earned } from "@tapthru/proto/earnings";
import type { Link } from "@tapthru/proto/links";
import { Sparkline } from "../../../components/ui/sparkline.tsx";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../../lib/http/query-presets.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { daysText, EARNINGS_KEY, EarnedAmount } from "../../earnings/index.ts";

/** The figures of 30 days of each link of a page of the list. */
export function useFigures(links: readonly Link[]) {
  const client = useQueryClient();
  const codes = links.map(({ shortCode }) => shortCode).join();
  const options = { enabled: codes !== "", staleTime: LINKS_STALE_MS, retry: false, placeholderData: keepPreviousData };
  const { data: clicks } = useQuery({
    queryKey: [...TAPS_KEY, codes],
    queryFn: () =>
      withKnown(client, TAPS_KEY, codes, async (unknown) => ({
        links: await callApi("GET /api/clicks/links", { query: { codes: unknown, tz: browserTimeZone() } }),
      })),
    ...options,
  });
  const { data: earnings } = useQuery({
    queryKey: [...EARNED_KEY, codes],
    queryFn: () =>
      withKnown(client, EARNED_KEY, codes, (unknown) =>
        callApi("GET /api/earnings/links", { query: { codes: unknown } }),
      ),
    ...options,
  });
  const peopleOf = new Map(clicks?.links.map(({ shortCode, people }) => [shortCode, people]));
  const earnedOf = new Map(earnings?.links.map((earned) => [earned.shortCode, earned]));
  return (shortCode: string) => ({
    /** On each day, today last. Undefined while it is unknown. */
    people: clicks && (peopleOf.get(shortCode) ?? NO_DAYS),
    /** Undefined without any report. */
    earned: earnings?.reportedUntil ? earnedOf.get(shortCode) : undefined,
    earnedDays: earnings && daysText(earnings, earnedOf.get(shortCode)),
  });
}

const TAPS_KEY = ["/api/clicks/links"];
const EARNED_KEY = [...EARNINGS_KEY, "links"];

/** Reads rows of links, but those of other pages of the list that are not stale: after a deletion or creation, links move to other pages. */
async function withKnown<Reply extends { links: readonly { shortCode: string }[] }>(
  client: QueryClient,
  queryKey: QueryKey,
  codes: string,
  read: (codes: string) => Promise<Reply>,
): Promise<Reply> {
  const known = new Map<string | undefined, Reply["links"][number] | undefined>();
  const isFresh = (query: { isStaleByTime: (ms: number) => boolean }) => !query.isStaleByTime(LINKS_STALE_MS);
  let latest: Reply | undefined;
  for (const { queryKey: key, state } of client.getQueryCache().findAll({ queryKey, predicate: isFresh })) {
    latest = state.data as Reply;
    for (const code of String(key.at(-1)).split(",")) known.set(code, undefined);
    for (const row of latest.links) known.set(row.shortCode, row);
  }
  const wanted = codes.split(",");
  const unknown = wanted.filter((code) => !known.has(code)).join();
  const reply = latest && unknown === "" ? { ...latest, links: [] } : await read(unknown);
  return { ...reply, links: [...wanted.flatMap((code) => known.get(code) ?? []), ...reply.links] };
}

const NO_DAYS: number[] = [];

export type LinkFigures = ReturnType<ReturnType<typeof useFigures>>;

export function LinkEarned({ earned, days = "" }: { earned: Earned; days: string | undefined }) {
  return (
    <span title={days} className={earned.earnings === null && earned.shared === null ? "@max-2xl:sr-only" : ""}>
      <span className="sr-only">Earned </span>
      <EarnedAmount earned={earned} />
      <span className="sr-only">{`, ${days}`}</span>
    </span>
  );
}

const DAYS_OF_WEEK = 7;

export function LinkClicks({ days }: { days: readonly number[] }) {
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
