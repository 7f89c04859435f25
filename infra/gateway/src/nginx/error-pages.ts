import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { messages } from "@tapthru/proto/rules/messages";
import { smallPageHtml } from "./small-page.ts";

export interface ErrorPage {
  /** Determines the status, and the message under /api. */
  code: ErrorCode;
  /** nginx's internal number of the error, if it is not an HTTP status. */
  nginxStatus?: number;
  heading: string;
  sentence: string;
}

const PAGES = messages.smallPages;

/** The errors that nginx itself can return. */
export const ERROR_PAGES: readonly ErrorPage[] = [
  { code: "malformed-request", ...PAGES.malformed },
  { code: "not-found", ...PAGES.pageNotFound },
  { code: "method-not-allowed", ...PAGES.methodNotAllowed },
  { code: "body-too-large", ...PAGES.bodyTooLarge },
  { code: "address-too-long", ...PAGES.addressTooLong },
  { code: "too-many-requests", ...PAGES.tooManyAtOnce },
  { code: "headers-too-large", nginxStatus: 494, ...PAGES.headersTooLarge },
  { code: "internal", ...PAGES.failed },
  { code: "not-implemented", ...PAGES.notOffered },
  { code: "bad-gateway", ...PAGES.unavailable },
  { code: "unavailable", ...PAGES.unavailable },
  { code: "gateway-timeout", ...PAGES.tooSlow },
  { code: "http-version-not-supported", ...PAGES.oldHttp },
];

/** For the http block: which file the response to each error has. */
export function errorPageDirectives(): string {
  const directives = ERROR_PAGES.map(
    ({ code, nginxStatus = ERRORS[code].status }) =>
      `error_page ${nginxStatus} =${ERRORS[code].status} /_errors/${ERRORS[code].status}.$error_format;`,
  );
  return `
map "$area:$http_accept" $error_format {
  default html;
  "~^api:.*application/problem[+]json" problem;
  # A browser that opens an address of the api, such as the unsubscribe link of an email.
  "~^api:.*text/html" html;
  "~^api:" txt;
}
${directives.join("\n")}`;
}

/** The files of an error in `_errors/`, by name: a page, and the two formats of /api. */
export function errorFiles(page: ErrorPage, productName: string): Record<string, string> {
  const { status, message } = ERRORS[page.code];
  const problem = { title: message, status, code: page.code };
  return {
    [`${status}.html`]: errorPageHtml(page, productName),
    [`${status}.txt`]: `${message}\n`,
    [`${status}.problem`]: `${JSON.stringify(problem)}\n`,
  };
}

function errorPageHtml({ heading, sentence }: ErrorPage, productName: string): string {
  return smallPageHtml(
    heading,
    productName,
    `<p>${sentence}</p>
<p><a href="/">${escapeHtml(messages.goToSite(productName))}</a></p>`,
  );
}
