import { escapeHtml, LOGO_SVG } from "@tapthru/proto/rules/page-style";
import { type Language, PAGE_MESSAGES, perLanguage, textDirection } from "@tapthru/proto/rules/pages/languages";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { PAGE_STYLE } from "./page-style.ts";

export interface SmallPages {
  notFound: string;
  gone: string;
  unavailable: string;
  limited: string;
}

export const SMALL_PAGE_POLICY = contentSecurityPolicy({ style: PAGE_STYLE });

interface Site {
  productName: string;
  homeUrl: string;
}

/** The pages for links that cannot be opened, each with a link to the home page. */
export function createSmallPages(site: Site): Record<Language, SmallPages> {
  return perLanguage((language) => smallPages(site, language));
}

function smallPages(site: Site, language: Language): SmallPages {
  const messages = PAGE_MESSAGES[language];
  const page = ({ heading, sentence }: { heading: string; sentence: string }) => `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(heading)} - ${escapeHtml(site.productName)}</title>
<style>${PAGE_STYLE}</style>
<main>
${LOGO_SVG}
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(sentence)}</p>
<a class="button" href="${escapeHtml(site.homeUrl)}">${escapeHtml(messages.goToSite(site.productName))}</a>
</main>
</html>
`;
  const { linkNotFound, linkGone, linkUnavailable, tooManyCodes } = messages;
  return {
    notFound: page(linkNotFound),
    gone: page(linkGone),
    unavailable: page(linkUnavailable),
    limited: page(tooManyCodes),
  };
}
