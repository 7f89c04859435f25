import type { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { type AmazonPage, amazonCard, socialTags } from "@tapthru/proto/rules/social-card";
import { contentSecurityPolicy } from "./content-security-policy.ts";

export const PREVIEW_CARD_POLICY = contentSecurityPolicy({});

export type Card = AmazonPage & Pick<OwnerRecord, "creatorName" | "showsDisclosure">;

/**
 * The HTML for link-preview crawlers: the card's tags, and a link to the Amazon address.
 * @param site.pageUrl the card's own address: a crawler follows `og:url`, so it must not be Amazon's; `site.siteUrl`: the origin with the
 *   default image
 */
export function previewCard(card: Card, site: { pageUrl: string; siteUrl: string; productName: string }): string {
  const page = amazonCard(card, site);
  const { creatorName, showsDisclosure } = card;
  const creator = [creatorName && `${creatorName} ·`, showsDisclosure && PAGE_MESSAGES.en.amazonAssociate];
  const social = { ...page, description: [...creator, page.description].filter(Boolean).join(" ") };
  const meta = socialTags(social)
    .map(({ attribute, key, content }) => `<meta ${attribute}="${key}" content="${escapeHtml(content)}">`)
    .join("\n");

  const webUrl = escapeHtml(card.webUrl);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(social.title)}</title>
${meta}
<p>Opens on Amazon: <a href="${webUrl}">${webUrl}</a></p>
</html>
`;
}
