import type { Marketplace } from "../amazon/marketplaces.ts";

/** Amazon has one app for India and one for all other countries. Ids: the published scope of its bug bounty. */
const WORLD_APP = { package: "com.amazon.mShop.android.shopping", appStoreId: "id297606951" };
const INDIA_APP = { package: "in.amazon.mShop.android.shopping", appStoreId: "id1478350915" };

function appOf(marketplace: Marketplace) {
  return marketplace === "in" ? INDIA_APP : WORLD_APP;
}

/**
 * The address in the Amazon app's own scheme instead of `https`: the app opens the same page, tag included. Amazon's ad
 * SDK converts addresses in the same way, by cutting at `//`.
 * @param webUrl of a store page
 */
export function iosAppLink(webUrl: string): string {
  return `com.amazon.mobile.shopping.web://${withoutScheme(webUrl)}`;
}

/**
 * An intent for the Amazon app (developer.chrome.com/docs/android/intents) that falls back to the same page on the
 * web. Intent parsers read what follows the last `#` and split it at `;`, so both are encoded.
 * @param webUrl of a store page, without a fragment
 */
export function androidIntent(webUrl: string, marketplace: Marketplace): string {
  const fallback = encodeURIComponent(webUrl);
  const { package: packageName } = appOf(marketplace);
  return `intent://${withoutScheme(webUrl)}#Intent;scheme=https;package=${packageName};S.browser_fallback_url=${fallback};end`;
}

export function androidPackage(marketplace: Marketplace): string {
  return appOf(marketplace).package;
}

export function appStoreUrl(marketplace: Marketplace): string {
  return `https://apps.apple.com/app/${appOf(marketplace).appStoreId}`;
}

export function playStoreUrl(marketplace: Marketplace): string {
  return `https://play.google.com/store/apps/details?id=${androidPackage(marketplace)}`;
}

function withoutScheme(webUrl: string): string {
  return webUrl.slice("https://".length);
}
