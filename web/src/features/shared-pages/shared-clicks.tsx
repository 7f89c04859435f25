import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { SharedClicks as SharedFigures } from "@tapthru/proto/shared-pages";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { Card } from "../../components/ui/card.tsx";
import { Chart, periodName } from "../../components/ui/chart.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Page } from "../../components/ui/page.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES, VISITORS_NAME } from "../../lib/names.ts";

export function SharedClicks() {
  const token = useLocation().hash.slice(1);
  const [month, setMonth] = useState("");
  const query = useQuery({
    queryKey: ["/api/shared-pages/read", token, month],
    queryFn: ({ signal }) => callApi("POST /api/shared-pages/read", { body: { token, month }, signal }),
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });
  const { data } = query;
  const isUnknown = httpErrorOf(query.error)?.status === 404;
  return (
    <Page
      title={isUnknown ? "This link does not work" : (data?.name ?? "Shared clicks")}
      intro={data && scopeText(data)}
    >
      {isUnknown ? (
        <p>It has ended, was revoked, or is incomplete. Please ask the person who sent it to you.</p>
      ) : (
        <Loaded data={data} query={query} failed="The clicks could not be loaded.">
          {(clicks) => (
            <Card title="Clicks by month">
              <div aria-busy={query.isPlaceholderData} className="flex flex-col gap-6 aria-busy:opacity-60">
                <SelectField
                  label="Month"
                  options={clicks.months.map((each) => [each, monthName(each)])}
                  value={month || clicks.month}
                  onChange={setMonth}
                />
                <MonthFigures clicks={clicks} />
                <p className="text-sm text-pretty text-muted">
                  Each tap of a person counts; visitors are an estimate, in which a person counts once a day. The
                  current day is not complete.
                </p>
              </div>
            </Card>
          )}
        </Loaded>
      )}
    </Page>
  );
}

const NAMES = { ...CLICK_CLASS_NAMES, visitors: VISITORS_NAME };
const COLUMNS = ["person", "visitors", "preview", "bot"] as const;

function scopeText({ shortUrl, linkCount }: SharedFigures): string {
  return `Clicks of ${shortUrl ?? (linkCount === 1 ? "one link" : `${formatNumber(linkCount)} links together`)}`;
}

/** In the browser's time zone, so that it is named as the day that it is in UTC. */
const localDay = (day: string) => `${day}T00:00`;
const monthName = (month: string) => periodName(localDay(`${month}-01`), "month");

function MonthFigures({ clicks: { totals, days } }: { clicks: SharedFigures }) {
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
            cell: (counts: SharedFigures["totals"]) => formatNumber(counts[each]),
          })),
        ]}
      />
    </>
  );
}
