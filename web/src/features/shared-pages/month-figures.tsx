import type { SharedClicks } from "@tapthru/proto/shared-pages";
import { Chart, periodName } from "../../components/ui/chart.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES, VISITORS_NAME } from "../../lib/names.ts";

const NAMES = { ...CLICK_CLASS_NAMES, visitors: VISITORS_NAME };
const COLUMNS = ["person", "visitors", "preview", "bot"] as const;

export function scopeText({ shortUrl, linkCount }: SharedClicks): string {
  return `Clicks of ${shortUrl ?? (linkCount === 1 ? "one link" : `${formatNumber(linkCount)} links together`)}`;
}

/** In the browser's time zone, so that it is named as the day that it is in UTC. */
const localDay = (day: string) => `${day}T00:00`;
export const monthName = (month: string) => periodName(localDay(`${month}-01`), "month");

export function MonthFigures({ clicks: { totals, days } }: { clicks: SharedClicks }) {
  return (
    <>
      <Facts look="totals" facts={COLUMNS.map((each) => [NAMES[each], formatNumber(totals[each])])} />
      <Chart
        name={CLICK_CLASS_NAMES.person}
        interval="day"
        points={days.map(({ day, person }) => ({ start: localDay(day), value: person }))}
        format={formatNumber}
      />
      <DataTable
        caption="Clicks by day in UTC"
        className="max-h-80"
        rows={days.toReversed()}
        keyOf={({ day }) => day}
        columns={[
          { name: "Day in UTC", cell: ({ day }) => periodName(localDay(day), "day") },
          ...COLUMNS.map((each) => ({
            name: NAMES[each],
            cell: (counts: SharedClicks["totals"]) => formatNumber(counts[each]),
          })),
        ]}
      />
    </>
  );
}
