import { useQuery } from "@tanstack/react-query";
import type { RowStatus } from "@tapthru/proto/app-opening-status";
import { APP_OPENING_MIN_REPORTS, APP_OPENING_STATUS_DAYS, APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { appName, DEVICE_NAMES } from "../../lib/names.ts";
import { appOpeningStatusQuery } from "./index.ts";

const RULES = [
  "A tap counts once: the Amazon app opened, or it did not.",
  "Opened: the person left our page. On Android we can't see for which app, so every tap after which they left counts.",
  `Not opened: our page was still in view after ${APP_OPENING_WAIT_MS / 1_000} seconds, or the person chose another button. Some of them don't have the Amazon app.`,
  `Apps with fewer than ${APP_OPENING_MIN_REPORTS} taps are not shown by themselves, so that nobody can be recognized. No link and no person is stored with these numbers.`,
];

export function AppOpeningStatus() {
  const query = useQuery(appOpeningStatusQuery);
  return (
    <Loaded data={query.data} query={query} failed="The open rates could not be loaded. Please try again.">
      {({ rows }) => (
        <div className="flex flex-col gap-5">
          <Card title={`Last ${APP_OPENING_STATUS_DAYS} days`}>
            {rows.length === 0 ? (
              <p className="text-muted">{`There are no numbers yet. An app appears here after ${APP_OPENING_MIN_REPORTS} taps.`}</p>
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((row) => (
                  <RowItem key={`${row.row} ${row.app} ${row.os}`} row={row} />
                ))}
              </ul>
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

function RowItem({ row: { app, os, tried, opened } }: { row: RowStatus }) {
  const name = `${appName(app)} on ${DEVICE_NAMES[os]}`;
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
        <p className="text-lg font-semibold tabular-nums">{formatShare(opened / tried)}</p>
      </div>
      <p className="mt-1 text-sm text-muted">{`${formatNumber(opened)} of ${formatNumber(tried)} taps`}</p>
      <span aria-hidden className="mt-2 block h-1 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
          style={{ width: `${(100 * opened) / tried}%` }}
        />
      </span>
    </li>
  );
}
