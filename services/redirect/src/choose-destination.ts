import { appPage, type AppPage as PageChoices } from "@tapthru/proto/rules/app-page";
import { appendVisitorQuery } from "@tapthru/proto/rules/visitor-query";
import type { LiveLink, Lookup } from "./link.ts";
import type { Visitor } from "./visitor.ts";

export interface AppPage extends PageChoices {
  tableVersion: string;
  /** Whether the page tries the app by itself, once, on arrival. */
  isAutomatic: boolean;
}

export type Reply =
  | { kind: "unavailable" }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "not-found" }
  | { kind: "gone" }
  | { kind: "card"; link: LiveLink }
  | { kind: "app-page"; page: AppPage }
  | { kind: "redirect"; location: string };

export interface Visit {
  visitor: Visitor;
  /** What was asked for, without a query. */
  shortUrl: string;
  /** Unix milliseconds; a link is gone from its expiry on. */
  now: number;
}

export function chooseDestination(lookup: Lookup, visit: Visit): Reply {
  switch (lookup.state) {
    case "unavailable":
      return { kind: "unavailable" };
    case "limited":
      return { kind: "limited", retryAfterMs: lookup.retryAfterMs };
    case "unknown":
      return { kind: "not-found" };
    case "gone":
      return { kind: lookup.reason === "deleted" ? "not-found" : "gone" };
    case "live":
      return lookup.expiresAt !== null && visit.now >= lookup.expiresAt
        ? { kind: "gone" }
        : openLink(lookup, visit);
  }
}

function openLink(link: LiveLink, { visitor, shortUrl }: Visit): Reply {
  if (visitor.client.device === "preview-crawler") return { kind: "card", link };

  const webUrl = appendVisitorQuery(link.webUrl, visitor.query);
  const { opening } = visitor.client;
  if (opening === null) return { kind: "redirect", location: webUrl };

  const { row, tableVersion } = opening;
  const page = appPage({
    webUrl,
    marketplace: link.marketplace,
    strategy: row,
    pageUrl: appendVisitorQuery(shortUrl, visitor.query),
    isEscaped: visitor.isEscaped,
  });
  const isAutomatic = row.mode === "auto" && !visitor.isPrefetch;
  return { kind: "app-page", page: { ...page, tableVersion, isAutomatic } };
}
