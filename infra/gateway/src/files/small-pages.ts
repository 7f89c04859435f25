import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { smallPageHtml } from "@tapthru/proto/rules/pages/small-page";
import { offlineText, offlineTitle, reload } from "@tapthru/proto/rules/site-texts";

/** The page that the SPA's service worker stores, and shows instead of a page that cannot be loaded. */
export function offlinePageHtml(productName: string): string {
  return smallPageHtml(
    offlineTitle,
    productName,
    `<p>${offlineText}</p>
<p><a href="">${escapeHtml(reload)}</a></p>`,
  );
}
