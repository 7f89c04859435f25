import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { messages } from "@tapthru/proto/rules/messages";
import {
  CONFIG_ELEMENT_ID,
  PRERENDERED_PRODUCT_NAME,
} from "@tapthru/proto/rules/prerendered-pages";
import { socialTags } from "@tapthru/proto/rules/social-card";
import { publicConfig } from "../public-config.ts";
import type { GatewaySettings } from "../settings.ts";

/**
 * A page of the SPA with what is not known at build time: the product's name, the preview card's meta tags and the
 * configuration.
 */
export function indexPage(html: string, settings: GatewaySettings): string {
  const { publicBaseUrl, productName } = settings;
  const tags = socialTags({
    pageUrl: `${publicBaseUrl}/`,
    siteName: productName,
    title: messages.homeTitle,
    description: messages.homeTagline,
    imageUrl: null,
  }).map(
    ({ attribute, key, content }) =>
      `<meta ${attribute}="${key}" content="${escapeHtml(content)}">\n`,
  );
  const head = [...tags, configElement(settings)].join("");
  return html
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(productName)}`)
    .replaceAll(PRERENDERED_PRODUCT_NAME, () => escapeHtml(productName))
    .replace("</head>", (end) => head + end);
}

/** Spares the SPA a request for /config.json. Browsers do not run a script of this type. */
function configElement(settings: GatewaySettings): string {
  const json = JSON.stringify(publicConfig(settings)).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${CONFIG_ELEMENT_ID}">${json}</script>\n`;
}
