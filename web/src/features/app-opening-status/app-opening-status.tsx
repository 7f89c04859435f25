import { useQuery } from "@tanstack/react-query";
import type { TableVersion } from "@tapthru/proto/http/app-opening-status";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { type TableOrigin, tableOrigins } from "@tapthru/proto/rules/app-opening/table-history";
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
import { formatUtcDay } from "../../lib/dates.ts";
import { tableInUseQuery } from "./api.ts";
import { RowItem } from "./row-item.tsx";
import { TableChanges } from "./table-changes.tsx";

const RULES = messages.openingStatusRules({
  seconds: APP_OPENING_WAIT_MS / 1_000,
  reports: APP_OPENING_MIN_REPORTS,
});

/** How often the Amazon app opened, by row of the strategy table, and what these numbers mean. */
export function AppOpeningStatus() {
  const { data, isFetching, refetch } = useQuery(appOpeningStatusQuery);
  const { data: tableInUse, isPending } = useQuery(tableInUseQuery);
  if (data === undefined ? isFetching : isPending) {
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
      {data.tables.length > 0 && (
        <TableVersions
          tables={data.tables}
          origins={tableOrigins(tableInUse ?? BUILT_IN_OPENING_TABLE)}
        />
      )}
    </div>
  );
}

interface TableVersionsProps {
  tables: readonly TableVersion[];
  /** The versions whose rows are known. */
  origins: readonly TableOrigin[];
}

/** The versions of the strategy table that pages used, and what each one changed. */
function TableVersions({ tables, origins }: TableVersionsProps) {
  return (
    <Card title={messages.strategyTables}>
      <p className="mb-4 max-w-2xl leading-6 text-pretty text-muted">
        {messages.strategyTablesText}
      </p>
      <ul aria-label={messages.strategyTables} className="divide-y divide-line">
        {tables.map(({ version, firstDay, lastDay }) => (
          <li key={version} className="py-4 first:pt-0 last:pb-0">
            <h3 className="font-medium wrap-anywhere">{version}</h3>
            <p className="mt-1 text-sm text-muted">
              {messages.reportsFromTo(formatUtcDay(firstDay), formatUtcDay(lastDay))}
            </p>
            <TableChanges origin={origins.find((origin) => origin.version === version)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
