import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/ui/card.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import type { Period } from "../../lib/period.ts";
import { comparedClicksOptions } from "../clicks/index.ts";
import { dailyEarningsOptions, daysOf } from "./api.ts";
import { NeedsReports } from "./import-reports.tsx";

/** Shows the taps of a period, how many opened the app, and what people ordered then. */
export function Funnel({ period }: { period: Period }) {
  const days = daysOf(period);
  const { data: clicks } = useQuery(comparedClicksOptions({ shortCode: null, period }));
  const { data: earnings } = useQuery(dailyEarningsOptions(days));
  if (!clicks || clicks.totals.person === 0) return null;
  const { person, opened } = clicks.totals;
  // Reports have whole days, no hours.
  const ordered = period.period === "24h" ? null : (earnings?.totals.ordered ?? null);
  const steps: Step[] = [
    { name: CLICK_CLASS_NAMES.person, value: formatNumber(person), share: 1 },
    { name: "The app opened", value: formatNumber(opened), share: opened / person },
    ...(ordered === null ? [] : [{ name: "Ordered", value: formatNumber(ordered), share: ordered / person }]),
  ];
  return (
    <Card title="From tap to order">
      <ol className="flex flex-col gap-3">
        {steps.map(({ name, value, share }) => (
          <li key={name} className="text-sm tabular-nums">
            <span className="flex justify-between gap-2">
              <span className="text-muted">{name}</span>
              <span>
                <span className="font-medium">{value}</span> {share !== 1 && formatShare(share)}
              </span>
            </span>
            <span aria-hidden className="mt-1 block h-2.5 rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
                style={{ width: `${100 * Math.min(1, share)}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
      {earnings?.reportedUntil === null && (
        <div className="mt-4">
          <NeedsReports>Amazon's reports say what people ordered.</NeedsReports>
        </div>
      )}
    </Card>
  );
}

interface Step {
  name: string;
  value: string;
  /** Of the taps. */
  share: number;
}
