import { messages } from "@tapthru/proto/rules/messages";
import { contentSecurityPolicy, escapeHtml } from "./html.ts";
import type { LiveLink } from "./link.ts";

export const PREVIEW_CARD_POLICY = contentSecurityPolicy({});

export type Card = Pick<LiveLink, "webUrl" | "title" | "description" | "imageUrl" | "siteName">;

/**
 * What a link-preview crawler reads: the card, with the Amazon address named in words.
 * @param pageUrl the card's own address, so that a crawler does not go on to Amazon
 */
export function previewCard(
  card: Card,
  { pageUrl, productName }: { pageUrl: string; productName: string },
): string {
  const title = card.title ?? messages.openInAppTitle(productName);
  const host = new URL(card.webUrl).host;
  const description = card.description ?? messages.viewOnAmazon(host);
  const imageUrl = card.imageUrl?.startsWith("https://") ? card.imageUrl : null;

  const tags: [attribute: "property" | "name", key: string, content: string | null][] = [
    ["property", "og:type", "website"],
    ["property", "og:url", pageUrl],
    ["property", "og:site_name", card.siteName ?? "Amazon"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:image", imageUrl],
    ["name", "description", description],
    ["name", "twitter:card", imageUrl === null ? "summary" : "summary_large_image"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ["name", "twitter:image", imageUrl],
  ];
  const meta = tags
    .filter(([, , content]) => content !== null)
    .map(
      ([attribute, key, content]) =>
        `<meta ${attribute}="${key}" content="${escapeHtml(content ?? "")}">`,
    )
    .join("\n");

  const webUrl = escapeHtml(card.webUrl);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
${meta}
<p>${messages.opensOnAmazon} <a href="${webUrl}">${webUrl}</a></p>
</html>
`;
}
