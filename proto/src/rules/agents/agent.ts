import {
  ASSISTANT_NAMES,
  HTTP_LIBRARY_STARTS,
  OTHER_CRAWLER_NAMES,
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "./crawlers.ts";
import { type Marker, matchesMarker, versionAfter } from "./markers.ts";
import { isWithoutTheApp } from "./without-the-app.ts";

/** Longer than any known agent; the rest is ignored. */
export const AGENT_MAX_LENGTH = 1_024;

/**
 * `desktop`: all other browsers, including Fire tablets, televisions, headsets, Windows Phone and KaiOS. `assistant`: reads a page for a person.
 * `bot`: search engines, training of AI, archives and clients without a User-Agent.
 */
export type Device = "ios" | "android" | "desktop" | "preview-crawler" | "assistant" | "bot" | "http-library";

export interface InAppBrowser {
  id: string;
  markers: readonly Marker[];
  /** Texts that precede the app's version, in order of preference. */
  versionAfter: readonly string[];
}

export const OTHER_WEB_VIEW = "other-view";
export const BROWSER = "browser";

export interface UserAgent {
  device: Device;
  app: string;
  /** The app's version, digits and dots; null if unknown. */
  appVersion: string | null;
}

/**
 * Parses a User-Agent: named crawlers first, then apps and browsers. A person in an in-app browser is never taken for
 * a crawler, nor is a phone with `bot` in its model name.
 * @param userAgent as sent; empty when there was none
 * @param apps in order of precedence
 * @param maxTouchPoints from the browser's navigator: only touch distinguishes an iPad that identifies as a Macintosh;
 *   0 on the server
 */
export function parseUserAgent(userAgent: string, apps: readonly InAppBrowser[], maxTouchPoints = 0): UserAgent {
  const agent = userAgent.slice(0, AGENT_MAX_LENGTH);
  const app = apps.find(({ markers }) => markers.some((marker) => matchesMarker(agent, marker)));
  const device = deviceOf(agent, { isInApp: app !== undefined, isTouched: maxTouchPoints > 1 });
  if (app === undefined) {
    return { device, app: isWebView(agent, device) ? OTHER_WEB_VIEW : BROWSER, appVersion: null };
  }
  return { device, app: app.id, appVersion: versionAfter(agent, app.versionAfter) };
}

const isPreviewCrawler = lowerCaseTest(PREVIEW_CRAWLER_NAMES, PREVIEW_CRAWLER_STARTS);
const isAssistant = lowerCaseTest(ASSISTANT_NAMES, []);
const isOtherCrawler = lowerCaseTest(OTHER_CRAWLER_NAMES, []);
const isHttpLibrary = lowerCaseTest([], HTTP_LIBRARY_STARTS);

function deviceOf(agent: string, known: { isInApp: boolean; isTouched: boolean }): Device {
  const lowerCase = agent.toLowerCase();
  if (agent === "") return "bot";
  if (isPreviewCrawler(lowerCase)) return "preview-crawler";
  if (isAssistant(lowerCase)) return "assistant";
  if (isOtherCrawler(lowerCase)) return "bot";
  if ((!known.isInApp && isHttpLibrary(lowerCase)) || APPLE_FETCH.test(agent)) return "http-library";
  if (OTHER_SYSTEM.test(agent)) return "desktop";
  // What apps send without a browser. Facebook's adds its own part.
  if (!known.isInApp && agent.startsWith("Dalvik/")) return "desktop";
  if (IOS.test(agent) || isMobileMac(agent, known.isTouched)) return "ios";
  if (ANDROID.test(agent)) return isWithoutTheApp(lowerCase) ? "desktop" : "android";
  return known.isInApp ? deviceOfShortAgent(agent) : "desktop";
}

/** Apps such as Facebook may send only their own part of the agent, which names the system in other words. */
function deviceOfShortAgent(agent: string): Device {
  if (/Windows|Macintosh|Linux x86/.test(agent)) return "desktop";
  if (/ios\b|iphone|ipad/i.test(agent)) return "ios";
  return /android|\b(?:FB4A|WA4A|FBAN\/EMA)\b|FB(?:DM|MF|BD|PN)\//i.test(agent) ? "android" : "desktop";
}

// Apple's network library, without a browser. Since its version 26 it names itself and the system otherwise.
const APPLE_FETCH =
  /^com\.apple\.|^(?!Mozilla\/)(?:.* )?(?:CFNetwork\/[\d.]+ Darwin|Network\/[\d.]+ (?:i|iPad|mac|tv|vision|watch)OS)\/\d/;
// Their agents contain Android or iPhone, but they have no Amazon shopping app. Fire devices are recognized by their
// browser, Silk, or by model: KF… for tablets, AFT… for television.
const OTHER_SYSTEM = /Windows Phone|KAIOS|like Android|\bSilk\/|Kindle Fire|(?:; |FBDV\/)(?:KF|AFT)[A-Z0-9]{1,8}\b/;
const IOS = /\biP(?:hone|ad|od)/;
const ANDROID = /\bAndroid\b/;

/** An iPad, or an iPhone in desktop mode: it has touch, or a token that no Mac has. */
function isMobileMac(agent: string, isTouched: boolean): boolean {
  if (!/\bMacintosh\b/.test(agent)) return false;
  return isTouched || / Mobile\/|\b(?:CriOS|FxiOS|EdgiOS|GSA)\//.test(agent);
}

function isWebView(agent: string, device: Device): boolean {
  if (device === "ios") return !agent.includes("Safari/");
  return device === "android" && agent.includes("; wv)");
}

/** Returns a test for agents, which must be in lower case. */
function lowerCaseTest(names: readonly string[], starts: readonly string[]) {
  const pattern = patternOf(names, starts);
  return (agent: string): boolean => pattern.test(agent);
}

/** One pattern takes half the time of a search for each name. */
function patternOf(names: readonly string[], starts: readonly string[]): RegExp {
  const literal = (text: string) => text.toLowerCase().replaceAll(/[^\w ]/g, "\\$&");
  return new RegExp([...names.map(literal), ...starts.map((start) => `^${literal(start)}`)].join("|"));
}

const PROGRAM_NAMES = [...PREVIEW_CRAWLER_NAMES, ...ASSISTANT_NAMES, ...OTHER_CRAWLER_NAMES, "CFNetwork/"];
const PROGRAM_STARTS = [...PREVIEW_CRAWLER_STARTS, ...HTTP_LIBRARY_STARTS];
const PROGRAM = patternOf(PROGRAM_NAMES, PROGRAM_STARTS);
/** Such as `Snap-URL-Preview-Service`, or `Mastodon` for `mastodon/`. */
const SHOWN_NAMES = new Map(
  [...PROGRAM_NAMES, ...PROGRAM_STARTS].map((name) => [
    name.toLowerCase(),
    name.replaceAll(/[^\w.]+/g, "-").replaceAll(/^-|[-.]$/g, ""),
  ]),
);

/** The name of a program that is no person, if it is on one of the lists. */
export function programIn(userAgent: string): string | undefined {
  return SHOWN_NAMES.get(PROGRAM.exec(userAgent.slice(0, AGENT_MAX_LENGTH).toLowerCase())?.[0] ?? "");
}
