import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { messages } from "@tapthru/proto/rules/messages";
import { socialTags } from "@tapthru/proto/rules/social-card";
import type { GatewaySettings } from "../settings.ts";

/** The SPA's page with the product's name and the preview card's meta tags, which are not known at build time. */
export function indexPage(
  indexHtml: string,
  { publicBaseUrl, productName }: Pick<GatewaySettings, "publicBaseUrl" | "productName">,
): string {
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
  return indexHtml
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(productName)}`)
    .replace("</head>", (end) => tags.join("") + end);
}
