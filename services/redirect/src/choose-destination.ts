import { escapeUrl } from "@tapthru/proto/rules/app-escape";
import {
  androidIntent,
  appStoreUrl,
  iosAppLink,
  playStoreUrl,
} from "@tapthru/proto/rules/app-link";
import type { LiveLink, Lookup } from "./link.ts";
import type { Opening, Visitor } from "./visitor.ts";
import { appendVisitorQuery } from "./visitor-query.ts";

export interface AppPage extends Opening {
  appLink: string;
  webUrl: string;
  storeUrl: string;
  /** Out of the in-app browser, to the same short link. */
  escapeUrl: string | null;
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

  const { row } = opening;
  const isIos = row.os === "ios";
  return {
    kind: "app-page",
    page: {
      ...opening,
      appLink: isIos ? iosAppLink(webUrl) : androidIntent(webUrl, link.marketplace),
      webUrl,
      storeUrl: isIos ? appStoreUrl(link.marketplace) : playStoreUrl(link.marketplace),
      escapeUrl:
        row.escape === null || visitor.isEscaped
          ? null
          : escapeUrl(row.escape, appendVisitorQuery(shortUrl, visitor.query)),
      isAutomatic: row.mode === "auto" && !visitor.isPrefetch,
    },
  };
}
