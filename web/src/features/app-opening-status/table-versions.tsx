import type { TableVersion } from "@tapthru/proto/http/app-opening-status";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { LOCALES } from "../../lib/locale-formats.ts";

const DAY = new Intl.DateTimeFormat(LOCALES, { dateStyle: "medium", timeZone: "UTC" });

/** The versions of the strategy table that pages used. */
export function TableVersions({ tables }: { tables: readonly TableVersion[] }) {
  return (
    <Card title={messages.strategyTables}>
      <p className="mb-3 max-w-2xl leading-6 text-pretty text-muted">
        {messages.strategyTablesText}
      </p>
      <ScrollArea label={messages.strategyTables}>
        <table className="w-full text-md tabular-nums">
          <caption className="sr-only">{messages.strategyTables}</caption>
          <thead>
            <tr className="text-sm text-muted">
              <th scope="col" className="py-1.5 text-start font-medium">
                {messages.appVersion}
              </th>
              <th scope="col" className="py-1.5 ps-3 text-start font-medium">
                {messages.firstReport}
              </th>
              <th scope="col" className="py-1.5 ps-3 text-start font-medium">
                {messages.lastReport}
              </th>
            </tr>
          </thead>
          <tbody>
            {tables.map(({ version, firstDay, lastDay }) => (
              <tr key={version} className="border-t border-line">
                <th scope="row" className="py-2 text-start font-normal whitespace-nowrap">
                  {version}
                </th>
                <DayCell day={firstDay} />
                <DayCell day={lastDay} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Card>
  );
}

function DayCell({ day }: { day: string }) {
  return (
    <td className="py-2 ps-3">
      <time dateTime={day}>{DAY.format(new Date(day))}</time>
    </td>
  );
}
