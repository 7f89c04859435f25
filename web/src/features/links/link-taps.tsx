import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { formatNumber } from "../../lib/locale-formats.ts";
import { tapsOptions } from "./api/list-taps.ts";
import { Sparkline } from "./sparkline.tsx";

/** The taps of people in the last 30 days. Keeps its space while they are unknown. */
export function LinkTaps({ shortCode }: { shortCode: string }) {
  const { data } = useQuery(tapsOptions(shortCode));
  return (
    <p className="mt-1 flex h-5 items-center gap-2 text-sm text-muted">
      {data && <Taps days={data} />}
    </p>
  );
}

const DAYS_OF_WEEK = 7;

function Taps({ days }: { days: readonly number[] }) {
  const total = sum(days);
  const week = formatNumber(sum(days.slice(-DAYS_OF_WEEK)));
  return (
    <>
      {total > 0 && (
        <Sparkline
          values={days}
          label={messages.tapsTrend(formatNumber(Math.max(...days)), week)}
        />
      )}
      <bdi className="whitespace-nowrap">
        <span className="tabular-nums">{messages.taps(total, formatNumber(total))}</span>
        <span className="sr-only @lg:not-sr-only"> {messages.inThirtyDays}</span>
      </bdi>
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
