import { escapeUrl } from "./app-escape.ts";
import { androidIntent, appStoreUrl, iosAppLink, playStoreUrl } from "./app-link.ts";
import type { AppOpeningStrategy } from "./app-opening.ts";
import type { Marketplace } from "./marketplaces.ts";
import * as english from "./messages/app-opening.ts";
import type { AppOpeningMessages } from "./messages/pages/page-messages.ts";

/** The choices on a page that opens the Amazon app. */
export interface AppPage {
  row: AppOpeningStrategy;
  appLink: string;
  webUrl: string;
  storeUrl: string;
  /** Opens the same page outside the in-app browser; null if no tap can. */
  escapeUrl: string | null;
}

interface Arrival {
  /** With the visitor's parameters, if any. */
  webUrl: string;
  marketplace: Marketplace;
  row: AppOpeningStrategy;
  /** The page's own address, with the visitor's parameters. */
  pageUrl: string;
  /** Whether the visit has left an in-app browser. */
  isEscaped: boolean;
}

export function appPage({ webUrl, marketplace, row, pageUrl, isEscaped }: Arrival): AppPage {
  const isIos = row.os === "ios";
  return {
    row,
    appLink: isIos ? iosAppLink(webUrl) : androidIntent(webUrl, marketplace),
    webUrl,
    storeUrl: isIos ? appStoreUrl(marketplace) : playStoreUrl(marketplace),
    escapeUrl: row.escape === null || isEscaped ? null : escapeUrl(row.escape, pageUrl),
  };
}

export interface AppChoice {
  kind: "app" | "web" | "escape";
  text: string;
  url: string;
}

/** The strategy's first choice first; the app and the web are always included. */
export function appChoices(
  page: AppPage,
  sentences: AppOpeningMessages = english,
): [AppChoice, ...AppChoice[]] {
  const { row } = page;
  const app: AppChoice = {
    kind: "app",
    text: row.mode === "auto" ? sentences.tryAgainInApp : sentences.openInApp,
    url: page.appLink,
  };
  const web: AppChoice = { kind: "web", text: sentences.openInBrowser, url: page.webUrl };
  if (page.escapeUrl === null) return row.open === "web" ? [web, app] : [app, web];

  const out: AppChoice = {
    kind: "escape",
    text: row.escape === "safari" ? sentences.openInSafari : sentences.openOutsideApp,
    url: page.escapeUrl,
  };
  if (row.open === "escape") return [out, app, web];
  return row.open === "web" ? [web, app, out] : [app, web, out];
}

/** The text above the choices; none if only a tap opens the app. */
export function appHint(
  row: AppOpeningStrategy,
  sentences: AppOpeningMessages = english,
): string | null {
  if (row.escape === "by-hand") return sentences.openByHand;
  return row.mode === "auto" ? sentences.appDidNotOpen : null;
}
