import type { Marketplace } from "../amazon/marketplaces.ts";
import { escapeUrl } from "./app-escape.ts";
import { androidIntent, appStoreUrl, iosAppLink, playStoreUrl } from "./app-link.ts";
import type { AppOpeningStrategy } from "./app-opening.ts";

export const ENGLISH = {
  openingAmazon: "Opening Amazon...",
  continueToAmazon: "Continue to Amazon",
  appDidNotOpen:
    "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:",
  openInApp: "Open in Amazon App",
  tryAgainInApp: "Try Again to Open in Amazon App",
  openInBrowser: "Open in Web Browser",
  openInSafari: "Open in Safari",
  openOutsideApp: "Open outside this app",
  openByHand: 'To open the Amazon app, first tap the menu (\u22ef) at the top and choose "Open in browser".',
  noAmazonApp: "Don't have the Amazon app?",
  getFromAppStore: "Get it from the App Store",
  getFromGooglePlay: "Get it on Google Play",
  reportThisLink: "Report this link",
};
export type AppOpeningMessages = typeof ENGLISH;

export interface AppPage {
  strategy: AppOpeningStrategy;
  appLink: string;
  webUrl: string;
  storeUrl: string;
  /** Opens the same page outside the in-app browser; null if no tap can. */
  escapeUrl: string | null;
}

interface Arrival {
  webUrl: string;
  marketplace: Marketplace;
  strategy: AppOpeningStrategy;
  pageUrl: string;
  isEscaped: boolean;
}

export function appPage({ webUrl, marketplace, strategy, pageUrl, isEscaped }: Arrival): AppPage {
  const isIos = strategy.os === "ios";
  return {
    strategy,
    appLink: isIos ? iosAppLink(webUrl) : androidIntent(webUrl, marketplace),
    webUrl,
    storeUrl: isIos ? appStoreUrl(marketplace) : playStoreUrl(marketplace),
    escapeUrl: strategy.escape === null || isEscaped ? null : escapeUrl(strategy.escape, pageUrl),
  };
}

export interface AppChoice {
  kind: "app" | "web" | "escape";
  text: string;
  url: string;
}

/** The strategy's first choice first; the app and the web are always included. */
export function appChoices(page: AppPage, sentences: AppOpeningMessages = ENGLISH): [AppChoice, ...AppChoice[]] {
  const { strategy } = page;
  const app: AppChoice = {
    kind: "app",
    text: strategy.mode === "auto" ? sentences.tryAgainInApp : sentences.openInApp,
    url: page.appLink,
  };
  const web: AppChoice = { kind: "web", text: sentences.openInBrowser, url: page.webUrl };
  if (page.escapeUrl === null) return strategy.open === "web" ? [web, app] : [app, web];

  const out: AppChoice = {
    kind: "escape",
    text: strategy.escape === "safari" ? sentences.openInSafari : sentences.openOutsideApp,
    url: page.escapeUrl,
  };
  if (strategy.open === "escape") return [out, app, web];
  return strategy.open === "web" ? [web, app, out] : [app, web, out];
}

export function appHeading({ mode }: AppOpeningStrategy, sentences: AppOpeningMessages = ENGLISH): string {
  return mode === "auto" ? sentences.openingAmazon : sentences.continueToAmazon;
}

export function appStoreText({ os }: AppOpeningStrategy, sentences: AppOpeningMessages = ENGLISH): string {
  return os === "ios" ? sentences.getFromAppStore : sentences.getFromGooglePlay;
}

/** The text above the choices; null if only a tap opens the app. */
export function appHint(strategy: AppOpeningStrategy, sentences: AppOpeningMessages = ENGLISH): string | null {
  if (strategy.escape === "by-hand") return sentences.openByHand;
  return strategy.mode === "auto" ? sentences.appDidNotOpen : null;
}
