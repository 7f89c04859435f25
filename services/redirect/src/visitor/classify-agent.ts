import { AGENT_MAX_LENGTH, BROWSER, OTHER_WEB_VIEW, type UserAgent } from "@tapthru/proto/rules/agents/agent";
import { isbot } from "isbot";

export type AgentClass = "person" | "assistant" | "preview" | "bot";

/**
 * Classifies an agent: our own crawlers first, then a known in-app browser means a person, then isbot. isbot takes some
 * people in in-app browsers for bots, such as Instagram on a Pixel phone. About 6 µs, so cache the result by agent.
 */
export function classifyAgent(userAgent: string, { device, app }: UserAgent): AgentClass {
  if (device === "preview-crawler") return "preview";
  if (device === "assistant") return "assistant";
  if (device === "bot" || device === "http-library") return "bot";
  if (app !== BROWSER && app !== OTHER_WEB_VIEW) return "person";
  const isProgram = isbot(userAgent) || userAgent.startsWith("Dalvik/");
  return isProgram || isExtinct(userAgent.slice(0, AGENT_MAX_LENGTH)) ? "bot" : "person";
}

/** Chrome and its forks since 80, and Firefox since 90, on computers. Their in-app browsers and Edge before 79 may not. */
export function sendsBrowserHeaders(userAgent: string, { device, app }: UserAgent): boolean {
  const agent = userAgent.slice(0, AGENT_MAX_LENGTH);
  if (device !== "desktop" || app !== BROWSER || !COMPUTER.test(agent) || agent.includes(" Edge/")) return false;
  const [, chrome = 0, firefox = 0] = /\bChrome\/(\d{1,4})\.|\bFirefox\/(\d{1,4})\./.exec(agent) ?? [];
  return Number(chrome) >= 80 || Number(firefox) >= 90;
}

/** With X11 on any processor, but for readers of books and televisions, which name themselves. */
const COMPUTER =
  /Windows (?!Phone)|Macintosh|CrOS|BSD|Linux (?:x86_64|i[3-6]86)|\((?:X11|Wayland); (?!.*(?:like Android|Kindle|TV\b|CrKey))/;
/**
 * Browsers that cannot open today's sites: before Firefox 52 and Chrome 49, the last ones of Windows XP, and before Safari 9,
 * Internet Explorer 11 and Edge 15. Their forks are maintained and name themselves at the end. Internet Explorer 11 calls itself 7
 * in compatibility mode.
 */
const EXTINCT_BROWSERS = [
  /Firefox\/(?:\d|[1-4]\d|5[01])(?:\.\d+)*(?:pre)?(?: \([^)]*\))?$/,
  /Chrome\/(?:\d|[1-3]\d|4[0-8])\.[\d.]+ Safari\/[\d.]+$/,
  /Version\/[1-8]\.[\d.]+ Safari\/[\d.]+$/,
  /^(?!.*Trident\/[7-9]).*\bMSIE \d/,
  /Edge\/1[2-4]\./,
  /\brv:[01]\.\d/,
  /^Opera\/(?!.*(?:Opera M(?:ini|obi)|Version\/12))/,
  /Windows (?:9[58]|ME|CE|NT [1-4]|NT 5\.0)\b/,
];

/** Returns true for a browser that no computer runs any more, such as the one whose name Discord sends: it is a program. */
function isExtinct(agent: string): boolean {
  return COMPUTER.test(agent) && EXTINCT_BROWSERS.some((browser) => browser.test(agent));
}
