import { messages } from "@tapthru/proto/rules/messages";
import { contentSecurityPolicy, escapeHtml } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";

export interface SmallPages {
  notFound: string;
  gone: string;
  unavailable: string;
  limited: string;
}

export const SMALL_PAGE_POLICY = contentSecurityPolicy({ style: PAGE_STYLE });

/** The pages for links that lead nowhere, each with a way home. */
export function createSmallPages(site: { productName: string; homeUrl: string }): SmallPages {
  const page = ({ heading, sentence }: { heading: string; sentence: string }) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading} - ${escapeHtml(site.productName)}</title>
<style>${PAGE_STYLE}</style>
<main>
<h1>${heading}</h1>
<p>${sentence}</p>
<a class="button" href="${escapeHtml(site.homeUrl)}">${escapeHtml(messages.goToSite(site.productName))}</a>
</main>
</html>
`;
  const { linkNotFound, linkGone, linkUnavailable, tooManyCodes } = messages.smallPages;
  return {
    notFound: page(linkNotFound),
    gone: page(linkGone),
    unavailable: page(linkUnavailable),
    limited: page(tooManyCodes),
  };
}
