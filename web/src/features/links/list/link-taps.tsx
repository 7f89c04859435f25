import { keepPreviousData, useQuery } from "@tanstack/react-query";
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
  const codes = links.map(({ shortCode }) => shortCode).join();
  const options = { enabled: codes !== "", staleTime: LINKS_STALE_MS, retry: false, placeholderData: keepPreviousData };
  const { data: clicks } = useQuery({
    queryKey: ["/api/clicks/links", codes],
    queryFn: () => callApi("GET /api/clicks/links", { query: { codes, tz: browserTimeZone() } }),
    ...options,
  });
  const { data: earnings } = useQuery({
    queryKey: [...EARNINGS_KEY, "links", codes],
    queryFn: () => callApi("GET /api/earnings/links", { query: { codes } }),
    ...options,
  });
  const peopleOf = new Map(clicks?.map(({ shortCode, people }) => [shortCode, people]));
  const earnedOf = new Map(earnings?.links.map((earned) => [earned.shortCode, earned]));
  return (shortCode: string) => ({
    /** On each day, today last. Undefined while it is unknown. */
    people: clicks && (peopleOf.get(shortCode) ?? NO_DAYS),
    /** Undefined without any report. */
    earned: earnings?.reportedUntil ? earnedOf.get(shortCode) : undefined,
    earnedDays: earnings && daysText(earnings, earnedOf.get(shortCode)),
  });
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
