import type { RowStatus } from "@tapthru/proto/http/app-opening-status";
import { messages } from "@tapthru/proto/rules/messages";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";

interface VersionTableProps {
  caption: string;
  versions: RowStatus["versions"];
}

export function VersionTable({ caption, versions }: VersionTableProps) {
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
