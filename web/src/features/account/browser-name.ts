import { messages } from "@tapthru/proto/rules/messages";

// What stands first decides: later browsers name themselves after earlier ones.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** A name by which its user knows a browser again, such as "Chrome on Windows". */
export function browserName(userAgent: string | null): string {
  const browser = firstMatch(BROWSERS, userAgent) ?? messages.unknownBrowser;
  const system = firstMatch(SYSTEMS, userAgent);
  return system === undefined ? browser : messages.browserOn(browser, system);
}

function firstMatch(names: [RegExp, string][], userAgent: string | null): string | undefined {
  return names.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1];
}
