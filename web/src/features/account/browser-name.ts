// The first match wins. The order matters, because user agents also contain the names of other browsers.
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

/** A readable name for a user agent, such as "Chrome on Windows". */
export function browserName(userAgent: string | null): string {
  const browser = firstMatch(BROWSERS, userAgent) ?? "Unknown browser";
  const system = firstMatch(SYSTEMS, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function firstMatch(names: [RegExp, string][], userAgent: string | null): string | undefined {
  return names.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1];
}
