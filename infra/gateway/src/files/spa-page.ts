import { brotliCompressSync, gzipSync } from "node:zlib";
import type { PublicConfig } from "@tapthru/proto/public-config";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { CONFIG_ELEMENT_ID, PRERENDERED_PRODUCT_NAME } from "@tapthru/proto/rules/paths";
import { homeTagline, homeTitle } from "@tapthru/proto/rules/site-texts";
import { socialTags } from "@tapthru/proto/rules/social-card";
import type { GatewaySettings } from "../settings.ts";

/**
 * A page of the SPA with what is not known at build time: the product's name, the preview card's meta tags and the
 * configuration.
 */
export function spaPage(html: string, settings: GatewaySettings): string {
  const { PUBLIC_BASE_URL, PRODUCT_NAME } = settings;
  const tags = socialTags({
    pageUrl: `${PUBLIC_BASE_URL}/`,
    siteName: PRODUCT_NAME,
    title: homeTitle,
    description: homeTagline,
    imageUrl: null,
  }).map(({ attribute, key, content }) => `<meta ${attribute}="${key}" content="${escapeHtml(content)}">\n`);
  const head = [...tags, configElement(settings)].join("");
  return html
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(PRODUCT_NAME)}`)
    .replaceAll(PRERENDERED_PRODUCT_NAME, () => escapeHtml(PRODUCT_NAME))
    .replace("</head>", (end) => head + end);
}

export function publicConfig(settings: GatewaySettings): PublicConfig {
  return {
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    productName: settings.PRODUCT_NAME,
    contactEmail: settings.CONTACT_EMAIL,
    firebase: settings.FIREBASE_WEB_CONFIG,
    signUp: settings.SIGNUP_MODE,
    hasPasswordLogin: settings.PASSWORD_LOGIN === "on",
    openIdConnect: settings.OIDC_ISSUER === null ? null : { name: settings.OIDC_NAME, iconUrl: settings.OIDC_ICON },
    hasAmazonAds: settings.AMAZON_ADS_CLIENT_ID !== null,
    hasDomains: settings.TLS === "on",
  };
}

/** Spares the SPA a request for /config.json. Browsers do not run a script of this type. */
function configElement(settings: GatewaySettings): string {
  const json = JSON.stringify(publicConfig(settings)).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${CONFIG_ELEMENT_ID}">${json}</script>\n`;
}

/** A page that is rendered at boot, and its compressed copies, by file name. */
export function withCopies(name: string, text: string): Record<string, string | Buffer> {
  return { [name]: text, [`${name}.br`]: brotliCompressSync(text), [`${name}.gz`]: gzipSync(text) };
}
