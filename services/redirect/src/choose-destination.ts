import { appendVisitorQuery } from "@tapthru/proto/rules/amazon/visitor-query";
import { type AppPage as AppPageChoices, appPage } from "@tapthru/proto/rules/app-opening/app-page";
import type { LiveLink, Lookup } from "./link.ts";
import type { Visitor } from "./visitor.ts";

export interface AppPage extends AppPageChoices {
  tableVersion: string;
  /** Whether the page opens the app once on load. */
  isAutomatic: boolean;
}

/** How to respond to a visit. */
export type Decision =
  | { kind: "unavailable" }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "not-found" }
  | { kind: "gone" }
  | { kind: "card"; link: LiveLink }
  | { kind: "app-page"; page: AppPage; title: string | null }
  | { kind: "redirect"; location: string };

export interface Visit {
  visitor: Visitor;
  /** The requested short link without its query. */
  shortUrl: string;
  /** Unix milliseconds. A link is expired when `now` reaches `expiresAt`. */
  now: number;
}

export function chooseDestination(lookup: Lookup, visit: Visit): Decision {
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

function openLink(link: LiveLink, { visitor, shortUrl }: Visit): Decision {
  if (visitor.client.device === "preview-crawler") return { kind: "card", link };

  const webUrl = appendVisitorQuery(link.webUrl, visitor.query);
  const { opening } = visitor.client;
  if (opening === null) return { kind: "redirect", location: webUrl };

  const { strategy, tableVersion } = opening;
  const page = appPage({
    webUrl,
    marketplace: link.marketplace,
    strategy,
    pageUrl: appendVisitorQuery(shortUrl, visitor.query),
    isEscaped: visitor.isEscaped,
  });
  const isAutomatic = strategy.mode === "auto" && !visitor.isPrefetch;
  return { kind: "app-page", page: { ...page, tableVersion, isAutomatic }, title: link.title };
}
