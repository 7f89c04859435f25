import type { RowStatus } from "@tapthru/proto/http/app-opening-status";
import { messages } from "@tapthru/proto/rules/messages";
import { Details } from "../../components/ui/details.tsx";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";

/** An app on a system with its open rate. Its versions are hidden at first. An unknown app is named by its id. */
export function RowItem({ row: { app, os, tried, opened, versions } }: { row: RowStatus }) {
  const name = messages.appOnSystem(messages.appNames[app] ?? app, messages.devices[os]);
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
        <p className="text-lg font-semibold tabular-nums">{formatShare(opened / tried)}</p>
      </div>
      <p className="mt-1 text-sm text-muted">
        {messages.openedOf(formatNumber(opened), formatNumber(tried))}
      </p>
      <span aria-hidden className="mt-2 block h-1 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
          style={{ width: `${(100 * opened) / tried}%` }}
        />
      </span>
      {versions.length > 0 && (
        <div className="mt-2">
          <Details summary={messages.versionsOf(name)} openSummary={messages.hideVersionsOf(name)}>
            <VersionTable caption={messages.versionsOf(name)} versions={versions} />
          </Details>
        </div>
      )}
    </li>
  );
}

interface VersionTableProps {
  caption: string;
  versions: RowStatus["versions"];
}

function VersionTable({ caption, versions }: VersionTableProps) {
  return (
    <ScrollArea label={caption}>
      <table className="w-full text-md tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-1.5 text-start font-medium">
              {messages.appVersion}
            </th>
            <th scope="col" className="py-1.5 ps-3 text-end font-medium">
              {messages.openRate}
            </th>
            <th scope="col" className="py-1.5 ps-3 text-end font-medium">
              {messages.reportCount}
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, tried, opened }) => (
            <tr key={version} className="border-t border-line">
              <th scope="row" className="py-2 text-start font-normal">
                {version ?? messages.otherVersions}
              </th>
              <td className="py-2 ps-3 text-end">{formatShare(opened / tried)}</td>
              <td className="py-2 ps-3 text-end text-muted">{formatNumber(tried)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
