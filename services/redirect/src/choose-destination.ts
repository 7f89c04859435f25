import {
  androidIntent,
  appStoreUrl,
  iosAppLink,
  playStoreUrl,
} from "@tapthru/proto/rules/app-link";
import type { Link, LiveLink } from "./link.ts";
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
  | { kind: "not-found" }
  | { kind: "gone" }
  | { kind: "card"; link: LiveLink }
  | { kind: "app-page"; page: AppPage }
  | { kind: "redirect"; location: string };

/**
 * @param link null for a code nobody knows
 * @param now Unix milliseconds; a link is gone from its expiry on
 */
export function chooseDestination(link: Link | null, visitor: Visitor, now: number): Reply {
  if (link === null) return { kind: "not-found" };
  if (link.state === "gone") return { kind: link.reason === "deleted" ? "not-found" : "gone" };
  if (link.expiresAt !== null && now >= link.expiresAt) return { kind: "gone" };
  if (visitor.device === "preview-crawler") return { kind: "card", link };

  const webUrl = appendVisitorQuery(link.webUrl, visitor.query);
  const isAutomatic = !visitor.isPrefetch;
  switch (visitor.device) {
    case "ios":
      return {
        kind: "app-page",
        page: {
          appLink: iosAppLink(webUrl),
          webUrl,
          storeUrl: appStoreUrl(link.marketplace),
          isAutomatic,
        },
      };
    case "android":
      return {
        kind: "app-page",
        page: {
          appLink: androidIntent(webUrl, link.marketplace),
          webUrl,
          storeUrl: playStoreUrl(link.marketplace),
          isAutomatic,
        },
      };
    default:
      return { kind: "redirect", location: webUrl };
  }
}
