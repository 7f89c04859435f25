import { useQuery } from "@tanstack/react-query";
import { openedShare } from "@tapthru/proto/rules/days";
import { APP_OPENING_MIN_REPORTS, APP_OPENING_STATUS_DAYS, APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatNumber, formatOpened } from "../../lib/locale-formats.ts";
import { APP_OPENED, appName, DEVICE_NAMES } from "../../lib/names.ts";

const RULES = [
  "A tap counts once: the Amazon app opened, or it did not.",
  "Opened: the person left our page. On Android we can't see for which app, so every tap after which they left counts.",
  `Not opened: our page was still in view after ${APP_OPENING_WAIT_MS / 1_000} seconds, or the person chose another button. Some of them don't have the Amazon app.`,
  `Apps with fewer than ${APP_OPENING_MIN_REPORTS} taps are not shown separately, so that nobody can be recognized. These numbers contain no links and no people.`,
];

export function AppOpeningStatus() {
  const query = useQuery(queryOf("GET /api/status/app-opening"));
  return (
    <Loaded data={query.data} query={query} failed="The open rates could not be loaded. Please try again.">
      {({ rows }) => (
        <div className="flex flex-col gap-5">
          <Card title={`Last ${APP_OPENING_STATUS_DAYS} days`}>
            {rows.length === 0 ? (
              <p className="text-muted">{`There are no numbers yet. An app appears here after ${APP_OPENING_MIN_REPORTS} taps.`}</p>
            ) : (
              <DataTable
                caption="How often the Amazon app opens"
                rows={rows}
                keyOf={({ row, app, os }) => `${row} ${app} ${os}`}
                shareOf={(row) => openedShare(row) ?? 0}
                columns={[
                  { name: "App", className: "w-full", cell: ({ app, os }) => `${appName(app)} on ${DEVICE_NAMES[os]}` },
                  {
                    name: APP_OPENED,
                    className: "font-medium",
                    cell: formatOpened,
                  },
                  { name: "Pages that tried", cell: ({ tried }) => formatNumber(tried) },
                ]}
              />
            )}
          </Card>
          {rows.length > 0 && (
            <Card title="How this is counted">
              <ul className="flex max-w-2xl list-disc flex-col gap-2 ps-5 leading-6 text-pretty text-muted">
                {RULES.map((rule) => (
                  <li key={rule}>{rule}</li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      )}
    </Loaded>
  );
}
