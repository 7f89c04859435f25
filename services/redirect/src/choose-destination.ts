import {
  androidIntent,
  appStoreUrl,
  iosAppLink,
  playStoreUrl,
} from "@tapthru/proto/rules/app-link";
import type { LiveLink, Lookup } from "./link.ts";
import type { Visitor } from "./visitor.ts";
import { appendVisitorQuery } from "./visitor-query.ts";

export interface AppPage {
  appLink: string;
  webUrl: string;
  storeUrl: string;
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

/** @param now Unix milliseconds; a link is gone from its expiry on */
export function chooseDestination(lookup: Lookup, visitor: Visitor, now: number): Reply {
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
      return lookup.expiresAt !== null && now >= lookup.expiresAt
        ? { kind: "gone" }
        : openLink(lookup, visitor);
  }
}

function openLink(link: LiveLink, visitor: Visitor): Reply {
  if (visitor.device === "preview-crawler") return { kind: "card", link };

  const { marketplace } = link;
  const webUrl = appendVisitorQuery(link.webUrl, visitor.query);
  const appPage = (appLink: string, storeUrl: string): Reply => ({
    kind: "app-page",
    page: { appLink, webUrl, storeUrl, isAutomatic: !visitor.isPrefetch },
  });
  if (visitor.device === "ios") return appPage(iosAppLink(webUrl), appStoreUrl(marketplace));
  if (visitor.device === "android") {
    return appPage(androidIntent(webUrl, marketplace), playStoreUrl(marketplace));
  }
  return { kind: "redirect", location: webUrl };
}
