import { appendVisitorQuery } from "@tapthru/proto/rules/amazon/visitor-query";
import { type AppPage as AppPageChoices, appPage } from "@tapthru/proto/rules/app-opening/app-page";
import type { LiveLink, Lookup } from "./link.ts";
import type { Opening, Visitor } from "./visitor.ts";

export interface AppPage extends AppPageChoices {
  tableVersion: string;
  /** Whether the page opens the app once on load. */
  isAutomatic: boolean;
}

/** What the page that opens the app depends on, besides its language. */
export interface AppPageVisit {
  link: LiveLink;
  opening: Opening;
  isAutomatic: boolean;
  /** Whether the visit has left an in-app browser. */
  isEscaped: boolean;
  /** The raw query without the question mark. */
  query: string;
}

/** How to respond to a visit. */
export type Decision =
  | { kind: "unavailable" }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "not-found" }
  | { kind: "gone" }
  | { kind: "card"; link: LiveLink }
  | ({ kind: "app-page" } & AppPageVisit)
  | { kind: "redirect"; location: string };

export interface Visit {
  visitor: Visitor;
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

function openLink(link: LiveLink, { visitor }: Visit): Decision {
  const { client, isEscaped, query } = visitor;
  if (client.device === "preview-crawler") return { kind: "card", link };

  const { opening } = client;
  if (opening === null)
    return { kind: "redirect", location: appendVisitorQuery(link.webUrl, query) };

  const isAutomatic = opening.strategy.mode === "auto" && !visitor.isPrefetch;
  return { kind: "app-page", link, opening, isAutomatic, isEscaped, query };
}

/** @param shortUrl the requested short link without its query */
export function appPageFor(visit: AppPageVisit, shortUrl: string): AppPage {
  const { link, opening, isAutomatic, isEscaped, query } = visit;
  const { strategy, tableVersion } = opening;
  const page = appPage({
    webUrl: appendVisitorQuery(link.webUrl, query),
    marketplace: link.marketplace,
    strategy,
    pageUrl: appendVisitorQuery(shortUrl, query),
    isEscaped,
  });
  return { ...page, tableVersion, isAutomatic };
}
