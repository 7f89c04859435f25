import { useQuery } from "@tanstack/react-query";
import {
  APP_OPENING_MIN_REPORTS,
  APP_OPENING_STATUS_DAYS,
  APP_OPENING_WAIT_MS,
} from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { appOpeningStatusQuery } from "../../lib/app-opening-status.ts";
import { RowItem } from "./row-item.tsx";

const RULES = messages.openingStatusRules({
  seconds: APP_OPENING_WAIT_MS / 1_000,
  reports: APP_OPENING_MIN_REPORTS,
});

/** How often the Amazon app opened, by row of the strategy table, and what these numbers mean. */
export function AppOpeningStatus() {
  const { data, isFetching, refetch } = useQuery(appOpeningStatusQuery);
  if (data === undefined && isFetching) {
    return (
      <div data-loading className="grid min-h-screen animate-appear-late justify-center pt-20">
        <Spinner label={messages.loadingOpeningStatus} />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <LoadingFailed
        message={messages.openingStatusFailed}
        action={messages.tryAgain}
        onAction={() => refetch()}
      />
    );
  }
  if (data.rows.length === 0) {
    return (
      <Card title={messages.openingStatusPeriod(APP_OPENING_STATUS_DAYS)}>
        <p className="text-muted">{messages.openingStatusNone(APP_OPENING_MIN_REPORTS)}</p>
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Card title={messages.openingStatusPeriod(APP_OPENING_STATUS_DAYS)}>
        <ul className="divide-y divide-line">
          {data.rows.map((row) => (
            <RowItem key={`${row.row} ${row.app} ${row.os}`} row={row} />
          ))}
        </ul>
      </Card>
      <Card title={messages.howThisIsCounted}>
        <ul className="flex max-w-2xl list-disc flex-col gap-2 ps-5 leading-6 text-pretty text-muted">
          {RULES.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
