import type { TableVersion } from "@tapthru/proto/http/app-opening-status";
import type { TableOrigin } from "@tapthru/proto/rules/app-opening/table-history";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { TableChanges } from "./table-changes.tsx";

interface TableVersionsProps {
  tables: readonly TableVersion[];
  /** The versions whose rows are known. */
  origins: readonly TableOrigin[];
}

/** The versions of the strategy table that pages used, and what each one changed. */
export function TableVersions({ tables, origins }: TableVersionsProps) {
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
