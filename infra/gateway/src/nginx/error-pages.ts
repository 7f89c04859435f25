import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { messages } from "@tapthru/proto/rules/messages";
import {
  DEFAULT_LANGUAGE,
  type Language,
  PAGE_MESSAGES,
  perLanguage,
} from "@tapthru/proto/rules/messages/pages/languages";
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

/** Errors of a service. Those of a short link say the same as the redirect says when it cannot look up the link. */
const SERVICE_ERRORS: readonly ErrorCode[] = ["bad-gateway", "unavailable", "gateway-timeout"];

const LANGUAGES = Object.keys(PAGE_MESSAGES) as Language[];

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
      `error_page ${nginxStatus} =${ERRORS[code].status} /_errors/${ERRORS[code].status}.${
        SERVICE_ERRORS.includes(code) ? "$service_error_format" : "$error_format"
      };`,
  );
  return `
map "$area:$http_accept" $error_format {
  default html;
  "~^api:.*application/problem[+]json" problem;
  # A browser that opens an address of the api, such as the unsubscribe link of an email.
  "~^api:.*text/html" html;
  "~^api:" txt;
}
# The first known language: browsers list the preferred ones first.
map $http_accept_language $link_page_language {
  default ${DEFAULT_LANGUAGE};
  ${LANGUAGES.map((language) => `"~*^${OTHER_LANGUAGES}${rangeOf(language)}" ${language};`).join("\n  ")}
}
map $area $service_error_format {
  default $error_format;
  link $link_page_language.html;
}
${directives.join("\n")}`;
}

/** Matches a range of Accept-Language, such as `de-AT;q=0.8`, by its primary subtag. */
function rangeOf(language: string): string {
  return ` *(?:${language})(?:[-;, ]|$)`;
}

/** Matches the ranges before the first known language. */
const OTHER_LANGUAGES = `(?:(?!${rangeOf(LANGUAGES.join("|"))})[^,]*,)*`;

/** The files of an error in `_errors/`, by name: a page, and the two formats of /api. */
export function errorFiles(page: ErrorPage, productName: string): Record<string, string> {
  const { status, message } = ERRORS[page.code];
  const problem = { title: message, status, code: page.code };
  return {
    [`${status}.html`]: errorPageHtml(page, productName),
    ...(SERVICE_ERRORS.includes(page.code) && linkPages(status, productName)),
    [`${status}.txt`]: `${message}\n`,
    [`${status}.problem`]: `${JSON.stringify(problem)}\n`,
  };
}

function linkPages(status: number, productName: string): Record<string, string> {
  const pages = perLanguage((language) =>
    errorPageHtml(PAGE_MESSAGES[language].linkUnavailable, productName, language),
  );
  return Object.fromEntries(
    Object.entries(pages).map(([language, html]) => [`${status}.${language}.html`, html]),
  );
}

function errorPageHtml(
  { heading, sentence }: Pick<ErrorPage, "heading" | "sentence">,
  productName: string,
  language: Language = DEFAULT_LANGUAGE,
): string {
  const { goToSite } = PAGE_MESSAGES[language];
  return smallPageHtml(
    heading,
    productName,
    `<p>${sentence}</p>
<p><a href="/">${escapeHtml(goToSite(productName))}</a></p>`,
    language,
  );
}
