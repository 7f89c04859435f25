import {
  HTTP_LIBRARY_STARTS,
  LINK_PREVIEW_NAMES,
  LINK_PREVIEW_STARTS,
  OTHER_CRAWLER_NAMES,
} from "./crawlers.ts";

/** `desktop` is everything else that shows pages: also Fire tablets, Windows Phone and KaiOS. */
export type Device = "ios" | "android" | "desktop" | "preview-crawler" | "bot";

// Only literals, alternatives and bounded repeats: time stays linear in the agent's length.
const LINK_PREVIEW = anyOf(LINK_PREVIEW_NAMES, LINK_PREVIEW_STARTS);
const OTHER_BOT = anyOf(OTHER_CRAWLER_NAMES, HTTP_LIBRARY_STARTS);
// They say Android or iPhone, but have no Amazon shopping app that the link could open. Fire devices
// are known by their browser, Silk, or by model: KF… for tablets, AFT… for television.
const WITHOUT_THE_APP = /Windows Phone|KAIOS|like Android|\bSilk\/|; (?:KF|AFT)[A-Z0-9]{1,8}\b/;
const IOS = /\biP(?:hone|ad|od)/;
const ANDROID = /\bAndroid\b/;

/** @param userAgent as sent; empty when there was none */
export function deviceFrom(userAgent: string): Device {
  if (userAgent === "") return "bot";
  if (LINK_PREVIEW.test(userAgent)) return "preview-crawler";
  if (OTHER_BOT.test(userAgent)) return "bot";
  if (WITHOUT_THE_APP.test(userAgent)) return "desktop";
  if (IOS.test(userAgent)) return "ios";
  if (ANDROID.test(userAgent)) return "android";
  return "desktop";
}

function anyOf(names: string[], starts: string[]): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^(?:${starts.map(literal).join("|")})|${names.map(literal).join("|")}`, "i");
}
