import { useQuery } from "@tanstack/react-query";
import { openedShare } from "@tapthru/proto/rules/days";
import { Card } from "../../components/ui/card.tsx";
import { formatDays } from "../../lib/dates.ts";
import { formatExactShare, formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { APP_OPENED, CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { type ClickScope, comparedClicksOptions } from "../clicks/index.ts";
import { dailyEarningsOptions } from "./api.ts";
import { MissingReports, NeedsReports } from "./import-reports.tsx";

/** Shows the taps of a period, how many opened the app, and what people ordered on the days that reports have. */
export function Funnel(scope: ClickScope) {
  const { period } = scope;
  const { data: clicks } = useQuery(comparedClicksOptions(scope));
  const { data: earnings } = useQuery(dailyEarningsOptions(scope));
  if (!clicks || clicks.totals.person === 0) return null;
  const { person, opened } = clicks.totals;
  // Reports have whole days, no hours.
  const reports = period.period === "24h" ? undefined : earnings;
  const { ordered = null, conversion = null } = reports?.totals ?? {};
  const steps: Step[] = [
    { name: CLICK_CLASS_NAMES.person, value: formatNumber(person) },
    { name: APP_OPENED, value: formatNumber(opened), share: openedShare(clicks.totals) },
  ];
  if (ordered !== null) {
    steps.push({
      name: `Ordered ${formatDays(reports?.from ?? "", reports?.to ?? "")}`,
      value: formatNumber(ordered),
      share: conversion,
      format: formatExactShare,
    });
  }
  return (
    <Card title="From tap to order">
      <ol className="flex flex-col gap-3">
        {steps.map(({ name, value, share, format = formatShare }) => (
          <li key={name} className="text-sm tabular-nums">
            <span className="flex justify-between gap-2">
              <span className="text-muted">{name}</span>
              <span>
                <span className="font-medium">{value}</span> {share != null && format(share)}
              </span>
            </span>
            <span aria-hidden className="mt-1 block h-2.5 rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
                style={{ width: `${100 * Math.min(1, share === undefined ? 1 : (share ?? 0))}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-col gap-2 empty:hidden">
        {ordered !== null && (
          <p className="text-sm text-pretty text-muted">
            The share of orders counts only the taps on the days of their reports.
          </p>
        )}
        {reports && <MissingReports missing={reports.missing} />}
        {earnings?.reportedUntil === null && <NeedsReports>Amazon's reports say what people ordered.</NeedsReports>}
      </div>
    </Card>
  );
}

interface Step {
  name: string;
  value: string;
  /** The share of the taps, or of the pages that tried to open the app; null if unknown. */
  share?: number | null;
  format?: typeof formatShare;
}
