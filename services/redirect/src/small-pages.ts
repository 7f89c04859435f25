import { contentSecurityPolicy, escapeHtml } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";

export interface SmallPages {
  notFound: string;
  gone: string;
  unavailable: string;
}

export const SMALL_PAGE_POLICY = contentSecurityPolicy({ style: PAGE_STYLE });

/** The pages for links that lead nowhere, each with a way home. */
export function createSmallPages(site: { productName: string; homeUrl: string }): SmallPages {
  const page = (heading: string, sentence: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading} - ${escapeHtml(site.productName)}</title>
<style>${PAGE_STYLE}</style>
<main>
<h1>${heading}</h1>
<p>${sentence}</p>
<a class="button" href="${escapeHtml(site.homeUrl)}">Go to ${escapeHtml(site.productName)}</a>
</main>
</html>
`;
  return {
    notFound: page(
      "Link not found",
      "There is no link at this address. Please check it for typing mistakes.",
    ),
    gone: page(
      "This link has ended",
      "It is no longer available. Ask whoever shared it for a new one.",
    ),
    unavailable: page(
      "We will be right back",
      "We cannot look this link up at the moment. Please try again in a few seconds.",
    ),
  };
}
