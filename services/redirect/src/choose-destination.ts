import { openedPage } from "@tapthru/proto/redirect/link-of-owner";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { appendVisitorQuery } from "@tapthru/proto/rules/amazon/visitor-query";
import { type AppPage as AppPageChoices, appPage } from "@tapthru/proto/rules/app-opening/app-page";
import { type Route, type RoutedProduct, routeVisit } from "@tapthru/proto/rules/routing/route-visit";
import type { LiveLink, Lookup } from "./link.ts";
import type { Opening, Visitor } from "./visitor/visitor.ts";

export interface AppPage extends AppPageChoices {
  tableVersion: string;
  /** True if the page opens the app once on load. */
  isAutomatic: boolean;
  /** Null if the visit was not sent to another store. */
  routed: RoutedPage | null;
}

/** The page's words about the store to which it sends the visitor. */
export interface RoutedPage {
  marketplace: Marketplace;
  original: { marketplace: Marketplace; webUrl: string };
}

/** The inputs of the page that opens the app, besides its language. */
export interface AppPageVisit {
  link: LiveLink;
  /** The page in another store, or the fallback, that the visit opens; null: the link's destination. */
  route: Route | null;
  opening: Opening;
  isAutomatic: boolean;
  /** True if the visit has left an in-app browser. */
  isEscaped: boolean;
  /** The raw query without the question mark. */
  query: string;
}

/** How to respond to a visit. `route`: see AppPageVisit. */
export type Decision =
  | { kind: "unavailable" }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "not-found" }
  | { kind: "gone" }
  /** `fallbackUrl`: what opens instead of the link's own page. */
  | { kind: "card"; link: LiveLink; fallbackUrl: string | null; query: string }
  | ({ kind: "app-page" } & AppPageVisit)
  | ({ kind: "redirect"; location: string } & Pick<AppPageVisit, "link" | "route">);

export interface Visit {
  visitor: Visitor;
  /** Unix milliseconds. A link starts when `now` reaches `startsAt`, and is expired when it reaches `expiresAt`. */
  now: number;
  /** A code of ISO 3166-1, or `unknown`. Only used for links whose visitors may be sent to other stores. */
  country: string;
}

export function chooseDestination(lookup: Lookup, visit: Visit): Decision {
  switch (lookup.state) {
    case "unavailable":
      return { kind: "unavailable" };
    case "limited":
      return { kind: "limited", retryAfterMs: lookup.retryAfterMs };
    case "unknown":
    case "owner":
      return { kind: "not-found" };
    case "gone":
      return { kind: "gone" };
    case "live":
      return openOrFallBack(lookup, visit);
  }
}

function openOrFallBack(link: LiveLink, visit: Visit): Decision {
  const isExpired = link.expiresAt !== null && visit.now >= link.expiresAt;
  const isEarly = link.startsAt !== undefined && visit.now < link.startsAt;
  const page = openedPage(link, link.fallbackPage, isExpired || isEarly);
  if (page === null) return { kind: isExpired ? "gone" : "not-found" };
  const { webUrl, marketplace } = page;
  if (page !== link) return openLink(link, { kind: "fallback", webUrl, marketplace }, visit.visitor);
  return openLink(link, link.routed && routeOf(link, link.routed, visit.country), visit.visitor);
}

function routeOf(link: LiveLink, routed: RoutedProduct, country: string): Route | null {
  const route = routeVisit(routed, country);
  return route && link.isUntagged ? { ...route, webUrl: removeTag(route.webUrl) } : route;
}

function openLink(link: LiveLink, route: Route | null, visitor: Visitor): Decision {
  const { client, isEscaped, query } = visitor;
  if (client.device === "preview-crawler") {
    return { kind: "card", link, fallbackUrl: route?.kind === "fallback" ? route.webUrl : null, query };
  }

  const opening = link.opening === "tap" && client.opening ? tapOnly(client.opening) : client.opening;
  if (opening === null || link.opening === "browser") {
    const { webUrl } = route ?? link;
    // Amazon's rules keep affiliates' links away from generative AI.
    const isUntagged = client.device === "assistant" && !link.assistantsGetTag;
    const location = appendVisitorQuery(isUntagged ? removeTag(webUrl) : webUrl, query);
    return { kind: "redirect", link, route, location };
  }

  const isAutomatic = opening.strategy.mode === "auto" && !visitor.isPrefetch;
  return { kind: "app-page", link, route, opening, isAutomatic, isEscaped, query };
}

function tapOnly({ strategy, tableVersion }: Opening): Opening {
  return { strategy: { ...strategy, mode: "tap" }, tableVersion };
}

/** @param shortUrl the requested short link without its query */
export function appPageFor(visit: AppPageVisit, shortUrl: string): AppPage {
  const { link, route, opening, isAutomatic, isEscaped, query } = visit;
  const { strategy, tableVersion } = opening;
  const { webUrl, marketplace } = route ?? link;
  const page = appPage({
    webUrl: appendVisitorQuery(webUrl, query),
    marketplace,
    strategy,
    pageUrl: appendVisitorQuery(shortUrl, query),
    isEscaped,
  });
  const original = route !== null &&
    route.kind !== "fallback" && {
      marketplace: link.marketplace,
      webUrl: appendVisitorQuery(link.webUrl, query),
    };
  return {
    ...page,
    tableVersion,
    isAutomatic,
    routed: original ? { marketplace, original } : null,
  };
}
