import { useQuery } from "@tanstack/react-query";
import { APP_OPENING_MIN_REPORTS, APP_OPENING_STATUS_DAYS, APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { Card } from "../../components/ui/card.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { appOpeningStatusQuery } from "../../lib/app-opening-status.ts";
import { RowItem } from "./row-item.tsx";

const RULES = [
  "A tap counts once: the Amazon app opened, or it did not.",
  "Opened: the person left our page. On Android we can't see for which app, so every tap after which they left counts.",
  `Not opened: our page was still in view after ${APP_OPENING_WAIT_MS / 1_000} seconds, or the person chose another button. Some of them don't have the Amazon app.`,
  `Apps with fewer than ${APP_OPENING_MIN_REPORTS} taps are not shown by themselves, so that nobody can be recognized. No link and no person is stored with these numbers.`,
];

/** How often the Amazon app opened, by row of the strategy table, and what these numbers mean. */
export function AppOpeningStatus() {
  const { data, isFetching, refetch } = useQuery(appOpeningStatusQuery);
  if (data === undefined && isFetching) {
    return (
      <div data-loading className="grid min-h-screen animate-appear-late justify-center pt-20">
        <Spinner label="Loading open rates..." />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <LoadingFailed
        message="The open rates could not be loaded. Please try again."
        action="Try again"
        onAction={() => refetch()}
      />
    );
  }
  if (data.rows.length === 0) {
    return (
      <Card title={`Last ${APP_OPENING_STATUS_DAYS} days`}>
        <p className="text-muted">{`There are no numbers yet. An app appears here after ${APP_OPENING_MIN_REPORTS} taps.`}</p>
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Card title={`Last ${APP_OPENING_STATUS_DAYS} days`}>
        <ul className="divide-y divide-line">
          {data.rows.map((row) => (
            <RowItem key={`${row.row} ${row.app} ${row.os}`} row={row} />
          ))}
        </ul>
      </Card>
      <Card title="How this is counted">
        <ul className="flex max-w-2xl list-disc flex-col gap-2 ps-5 leading-6 text-pretty text-muted">
          {RULES.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
