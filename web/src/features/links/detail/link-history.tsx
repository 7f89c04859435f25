import { queryOptions, useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../../components/ui/card.tsx";
import { formatMinute } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_QUERY } from "../../../lib/http/query-presets.ts";
import { LINK_KEY } from "../get-link.ts";
import { NewTabLink } from "./new-tab-link.tsx";

/** The earlier destinations and short links of a link, the latest first. */
export function LinkHistoryCard({ shortCode }: { shortCode: string }) {
  return (
    <Card title={messages.linkHistory}>
      <LinkHistory shortCode={shortCode} />
    </Card>
  );
}

function LinkHistory({ shortCode }: { shortCode: string }) {
  const { data, isPending } = useQuery(linkHistoryOptions(shortCode));
  if (isPending) return <p className="text-muted">{messages.loadingLinkHistory}</p>;
  if (!data) return <p role="alert">{messages.failedToLoadLinkHistory}</p>;
  const { destinations, shortCodes } = data;
  if (destinations.length + shortCodes.length === 0)
    return <p className="text-muted">{messages.noLinkHistory}</p>;
  return (
    <ul className="divide-y divide-line">
      {shortCodes.map(({ shortCode: code, shortUrl }) => (
        <li key={code} className="py-3">
          <NewTabLink href={shortUrl}>{shortUrl.replace(/^https?:\/\//, "")}</NewTabLink>
          <p className="mt-0.5 text-sm text-muted">{messages.stillWorks}</p>
        </li>
      ))}
      {destinations.map(({ originalUrl, webUrl, replacedAt }) => (
        <li key={`${replacedAt} ${originalUrl}`} className="py-3">
          <NewTabLink href={webUrl}>{originalUrl}</NewTabLink>
          <p className="mt-0.5 text-sm text-muted">
            {messages.destinationUntil(formatMinute(replacedAt))}
          </p>
        </li>
      ))}
    </ul>
  );
}

export function linkHistoryKey(shortCode: string) {
  return [LINK_KEY, shortCode, "history"] as const;
}

function linkHistoryOptions(shortCode: string) {
  return queryOptions({
    ...LINK_QUERY,
    queryKey: linkHistoryKey(shortCode),
    queryFn: ({ signal }) =>
      callApi("GET", "/api/links/:shortCode/history", {
        params: { shortCode },
        signal,
      }),
  });
}
