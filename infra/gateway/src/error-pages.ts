import { messages } from "@tapthru/proto/rules/messages";
import { escapeHtml, smallPageHtml } from "./small-page.ts";

export interface ErrorPage {
  status: number;
  /** What nginx calls the error where that is no status of HTTP. */
  nginxStatus?: number;
  heading: string;
  sentence: string;
}

const PAGES = messages.smallPages;

/** The errors that nginx itself can answer with. */
export const ERROR_PAGES: readonly ErrorPage[] = [
  { status: 400, ...PAGES.malformed },
  { status: 404, ...PAGES.pageNotFound },
  { status: 405, ...PAGES.methodNotAllowed },
  { status: 413, ...PAGES.bodyTooLarge },
  { status: 414, ...PAGES.addressTooLong },
  { status: 429, ...PAGES.tooManyAtOnce },
  { status: 431, nginxStatus: 494, ...PAGES.headersTooLarge },
  { status: 500, ...PAGES.failed },
  { status: 501, ...PAGES.notOffered },
  { status: 502, ...PAGES.away },
  { status: 503, ...PAGES.away },
  { status: 504, ...PAGES.tooSlow },
  { status: 505, ...PAGES.oldHttp },
];

export function errorPageHtml({ heading, sentence }: ErrorPage, productName: string): string {
  return smallPageHtml(
    heading,
    productName,
    `<p>${sentence}</p>
<p><a href="/">${escapeHtml(messages.goToSite(productName))}</a></p>`,
  );
}
