import type { Role } from "@tapthru/proto/call";
import type { LAUNCH_MODES } from "@tapthru/proto/owner-fields";
import type { AbuseReason } from "@tapthru/proto/rules/abuse-reasons";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { COUNTED_LINKS_MAX } from "@tapthru/proto/rules/limits";
import { formatCount, formatNumber, LOCALE } from "./locale-formats.ts";

export const linkCountText = (count: number) => {
  if (count >= COUNTED_LINKS_MAX) return `${formatNumber(COUNTED_LINKS_MAX)}+ links`;
  return formatCount(count, "link");
};

export const ACCOUNT_STATE_NAMES: Record<string, string | undefined> = {
  enabled: "Enabled",
  disabled: "Disabled, links work",
  blocked: "Disabled, links closed",
};

export const ROLE_NAMES: Record<Role, string> = { viewer: "Viewer", editor: "Editor", owner: "Owner" };

const OTHER_APP_NAMES: Readonly<Record<string, string>> = {
  "other-view": "Another app",
  chatgpt: "ChatGPT",
  copilot: "Copilot or Bing",
  duckduckgo: "DuckDuckGo",
  "google-messages": "Google Messages",
  kakaotalk: "KakaoTalk",
  line: "LINE",
  linkedin: "LinkedIn",
  qq: "QQ",
  "samsung-email": "Samsung Email",
  "samsung-messages": "Samsung Messages",
  tiktok: "TikTok",
  vk: "VK",
  wechat: "WeChat",
  whatsapp: "WhatsApp",
  "yahoo-mail": "Yahoo Mail",
  youtube: "YouTube",
};

/** @param app its id in the strategy table, or that of a source of taps */
export const appName = (app: string) => OTHER_APP_NAMES[app] ?? app.charAt(0).toUpperCase() + app.slice(1);

export const LAUNCH_MODE_NAMES = {
  app: "the app, as usual",
  tap: "the app, after a tap only",
  browser: "the store in the browser",
} as const satisfies Record<(typeof LAUNCH_MODES)[number], string>;

export const DEVICE_NAMES = { ios: "iPhone", android: "Android", desktop: "Desktop" } as const;

export const CLICK_CLASS_NAMES = {
  person: "Taps",
  preview: "Previews",
  bot: "Bots",
  prefetch: "Prefetches",
  assistant: "Assistants",
} as const;

export const APP_OPENED = "App opened";
export const VISITORS_NAME = "Visitors (estimate)";

export const ABUSE_REASON_TEXTS: Record<AbuseReason, { name: string; text: string }> = {
  misleading: {
    name: "Misleading",
    text: "It doesn't open what it promises",
  },
  harmful: {
    name: "Harmful",
    text: "A scam, or dangerous or illegal content",
  },
  spam: { name: "Spam", text: "It was sent to me without my consent" },
  other: { name: "Another reason", text: "None of the above" },
};

const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });

/** Such as "amazon.de (Germany)". */
export function storeName(marketplace: Marketplace): string {
  const { country } = MARKETPLACES[marketplace];
  return `amazon.${marketplace} (${COUNTRY_NAMES.of(country) ?? country})`;
}

/** For a list to choose from, in the order of the names. */
export const STORE_OPTIONS = (Object.keys(MARKETPLACES) as Marketplace[])
  .map((marketplace) => [marketplace, storeName(marketplace)] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, LOCALE));
