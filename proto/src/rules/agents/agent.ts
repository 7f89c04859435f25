import {
  HTTP_LIBRARY_STARTS,
  OTHER_CRAWLER_NAMES,
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "./crawlers.ts";
import { type Marker, matchesMarker, versionAfter } from "./markers.ts";

/** No known agent is as long; what stands behind is not looked at. */
export const AGENT_MAX_LENGTH = 1_024;

/**
 * `desktop` is everything else that shows pages, also Fire tablets, Windows Phone and KaiOS; `bot`
 * are search engines, AI, archives and whoever gives no name.
 */
export type Device = "ios" | "android" | "desktop" | "preview-crawler" | "bot" | "http-library";

/** An app with a browser of its own. */
export interface InAppBrowser {
  id: string;
  /** Any of them is enough. */
  markers: readonly Marker[];
  /** Texts behind which the app's version stands, the best first. */
  versionAfter: readonly string[];
}

/** What shows a page where no known app does. */
export const OTHER_WEB_VIEW = "other-view";
export const BROWSER = "browser";

export interface UserAgent {
  device: Device;
  /** The in-app browser's id, else `other-view` or `browser`. */
  app: string;
  /** Of the app, digits and dots; null where the agent does not say it. */
  appVersion: string | null;
}

/**
 * Reads a User-Agent: named crawlers first, then apps and browsers, so that a person inside an app is
 * never taken for a crawler and nobody is one for having `bot` in his phone's name.
 * @param userAgent as sent; empty when there was none
 * @param apps in the order in which their markers count
 * @param maxTouchPoints of the browser's navigator: an iPad may call itself a Macintosh and is known by
 *   its touch alone; 0 where no browser can be asked
 */
export function parseUserAgent(
  userAgent: string,
  apps: readonly InAppBrowser[],
  maxTouchPoints = 0,
): UserAgent {
  const agent = userAgent.slice(0, AGENT_MAX_LENGTH);
  const app = apps.find(({ markers }) => markers.some((marker) => matchesMarker(agent, marker)));
  const device = deviceOf(agent, { isInApp: app !== undefined, isTouched: maxTouchPoints > 1 });
  if (app === undefined) {
    return { device, app: isWebView(agent, device) ? OTHER_WEB_VIEW : BROWSER, appVersion: null };
  }
  return { device, app: app.id, appVersion: versionAfter(agent, app.versionAfter) };
}

const isPreviewCrawler = lowerCaseTest(PREVIEW_CRAWLER_NAMES, PREVIEW_CRAWLER_STARTS);
const isOtherCrawler = lowerCaseTest(OTHER_CRAWLER_NAMES, []);
const isHttpLibrary = lowerCaseTest([], HTTP_LIBRARY_STARTS);

function deviceOf(agent: string, known: { isInApp: boolean; isTouched: boolean }): Device {
  const lowerCase = agent.toLowerCase();
  if (agent === "") return "bot";
  if (isPreviewCrawler(lowerCase)) return "preview-crawler";
  if (isOtherCrawler(lowerCase)) return "bot";
  if (!known.isInApp && isHttpLibrary(lowerCase)) return "http-library";
  if (WITHOUT_THE_APP.test(agent)) return "desktop";
  if (IOS.test(agent) || isMobileMac(agent, known.isTouched)) return "ios";
  return ANDROID.test(agent) ? "android" : "desktop";
}

// They say Android or iPhone, but have no Amazon shopping app that the link could open. Fire devices
// are known by their browser, Silk, or by model: KF… for tablets, AFT… for television.
const WITHOUT_THE_APP =
  /Windows Phone|KAIOS|like Android|\bSilk\/|Kindle Fire|; (?:KF|AFT)[A-Z0-9]{1,8}\b/;
const IOS = /\biP(?:hone|ad|od)/;
const ANDROID = /\bAndroid\b/;

/** An iPad, or an iPhone asked for the desktop site: it is touched, or carries a word no Mac has. */
function isMobileMac(agent: string, isTouched: boolean): boolean {
  if (!/\bMacintosh\b/.test(agent)) return false;
  return isTouched || / Mobile\/|\b(?:CriOS|FxiOS|EdgiOS|GSA)\//.test(agent);
}

function isWebView(agent: string, device: Device): boolean {
  if (device === "ios") return !agent.includes("Safari/");
  return device === "android" && agent.includes("; wv)");
}

/** For agents in lower case. */
function lowerCaseTest(names: readonly string[], starts: readonly string[]) {
  const lowerNames = names.map((name) => name.toLowerCase());
  const lowerStarts = starts.map((start) => start.toLowerCase());
  return (agent: string): boolean =>
    lowerNames.some((name) => agent.includes(name)) ||
    lowerStarts.some((start) => agent.startsWith(start));
}
