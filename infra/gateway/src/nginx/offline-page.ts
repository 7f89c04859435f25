import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { messages } from "@tapthru/proto/rules/messages";
import { smallPageHtml } from "./small-page.ts";

/** The page that the SPA's service worker stores, and shows in place of a page that cannot be loaded. */
export function offlinePageHtml(productName: string): string {
  return smallPageHtml(
    messages.offlineTitle,
    productName,
    `<p>${messages.offlineText}</p>
<p><a href="">${escapeHtml(messages.reload)}</a></p>`,
  );
}
