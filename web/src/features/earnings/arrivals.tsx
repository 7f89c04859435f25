import { useQuery } from "@tanstack/react-query";
import type { TagArrival } from "@tapthru/proto/earnings";
import { ChevronRight, CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { Sparkline } from "../../components/ui/sparkline.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { formatUtcDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { arrivalsOptions } from "./api.ts";

const ARRIVAL_TRENDS = {
  falling: "Falling",
  steady: "Steady",
  unknown: "Too few to say",
} as const;

const ARRIVAL_CHECKS = [
  "Is each tag of the channel still in your Associates account, spelled the same way?",
  "Do your recent links have the tag of this channel?",
  "Does the tracking report have all tags of the channel, and the whole period?",
  "Open one of the links on a phone: does the product open, with your tag in the address?",
] as const;

/** Amazon's clicks compared with taps, for each channel in a store, and period of a tracking report. */
export function Arrivals() {
  const query = useQuery(arrivalsOptions);
  const place = useRef<HTMLDivElement>(null);
  const isAskedFor = useLocation().hash === "#tags" && query.isSuccess;
  useEffect(() => {
    if (isAskedFor) place.current?.scrollIntoView();
  }, [isAskedFor]);
  return (
    <div ref={place}>
      <Card title="Do your tags arrive?">
        <p className="leading-6 text-pretty text-muted">
          {query.data?.length === 0
            ? "Import the tracking reports of several months (Fee-Tracking) to see whether Amazon counts your taps."
            : "Amazon's own clicks for each 100 taps here. Amazon counts in its own way, so watch for a change, not the level."}
        </p>
        <Loaded data={query.data} query={query} failed="This could not be loaded.">
          {(channels) => (
            <ul className="divide-y divide-line">
              {fallingFirst(channels).map((channel) => (
                <Channel key={`${channel.channelId} ${channel.marketplace}`} channel={channel} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

function Channel({ channel }: { channel: TagArrival }) {
  const { trend, periods } = channel;
  const isFalling = trend === "falling";
  const name = `${channel.name}, amazon.${channel.marketplace}`;
  const known = periods.flatMap(({ ratio }) => ratio ?? []);
  return (
    <li className="py-3 last:pb-0">
      <details className="group" open={isFalling}>
        <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-2 gap-y-1 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-90" />
          <bdi className="min-w-0 flex-1 basis-32 font-medium wrap-anywhere">{name}</bdi>
          {known.length > 1 && <Sparkline values={known} label={`For 100 taps: ${known.map(percent).join(", ")}`} />}
          <span className="w-8 text-end font-medium tabular-nums">{known.slice(-1).map(percent)}</span>
          <Badge variant={isFalling ? "notice" : "quiet"}>{ARRIVAL_TRENDS[trend]}</Badge>
        </summary>
        <div className="mt-3 flex flex-col gap-3">
          {isFalling && <Advice />}
          <History name={name} periods={periods} />
        </div>
      </details>
    </li>
  );
}

const percent = (ratio: number) => formatNumber(Math.round(100 * ratio));

const fallingFirst = (channels: readonly TagArrival[]) =>
  channels.toSorted((a, b) => Number(b.trend === "falling") - Number(a.trend === "falling"));

function Advice() {
  return (
    <div className="flex flex-col gap-2">
      <Notice icon={CircleAlert}>
        Far fewer taps than before reached Amazon with this channel's tag. What to check:
      </Notice>
      <ul className="list-disc ps-5 text-sm text-pretty">
        {ARRIVAL_CHECKS.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function ratioText({ ratio, isComparable }: Pick<Period, "ratio" | "isComparable">): string {
  if (ratio !== null) return percent(ratio);
  return isComparable ? "Too few" : "Not comparable";
}

type Period = TagArrival["periods"][number];

function History({ name, periods }: Pick<TagArrival, "name" | "periods">) {
  return (
    <DataTable
      caption={name}
      className="max-h-80"
      rows={periods.toReversed()}
      keyOf={({ firstDay, lastDay }) => `${firstDay} ${lastDay}`}
      columns={[
        { name: "Period", cell: ({ firstDay, lastDay }) => formatUtcDays(firstDay, lastDay) },
        { name: "For 100 taps", className: "font-medium", cell: ratioText },
        {
          name: "Amazon's clicks, of taps",
          cell: ({ amazonClicks, people }) => `${formatNumber(amazonClicks)} of ${formatNumber(people)}`,
        },
      ]}
    />
  );
}
