import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";
import { DEFAULT_LANGUAGE, type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/messages/pages/languages";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import type { GatewaySettings } from "../settings.ts";
import { smallPageHtml } from "./small-pages.ts";

type Site = Pick<GatewaySettings, "productName" | "publicBaseUrl">;

interface ErrorPage {
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

const ERROR_PAGES: readonly ErrorPage[] = [
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

/** Which file the response to each error has, as directives of nginx. */
export function errorPageDirectives(): string {
  const directives = ERROR_PAGES.map(({ code, nginxStatus = ERRORS[code].status }) => {
    const format = SERVICE_ERRORS.includes(code) ? "$service_error_format" : "$error_format";
    const { status } = ERRORS[code];
    return `error_page ${nginxStatus} =${status} /_errors/${status}.${format};`;
  });
  return directives.join("\n");
}

/** The first known language in Accept-Language, as lines of a map of nginx. */
export function linkPageLanguages(): string {
  const patterns = LANGUAGES.map((language) => `"~*^${OTHER_LANGUAGES}${rangeOf(language)}" ${language};`);
  return [`default ${DEFAULT_LANGUAGE};`, ...patterns].join("\n");
}

/** Matches a range of Accept-Language, such as `de-AT;q=0.8`, by its primary subtag. */
function rangeOf(language: string): string {
  return ` *(?:${language})(?:[-_.@;, ]|$)`;
}

/** Matches the ranges before the first known language. */
const OTHER_LANGUAGES = `(?:(?!${rangeOf(LANGUAGES.join("|"))})[^,]*,)*`;

/** The files of all errors by path: a page for each, and the two formats of /api. */
export function errorFiles(site: Site): Record<string, string> {
  const files: Record<string, string> = {};
  for (const page of ERROR_PAGES) {
    const { status, message } = ERRORS[page.code];
    const path = `_errors/${status}`;
    files[`${path}.html`] = errorPageHtml(page, site);
    files[`${path}.txt`] = `${message}\n`;
    files[`${path}.problem`] = `${JSON.stringify({ title: message, status, code: page.code })}\n`;
    if (!SERVICE_ERRORS.includes(page.code)) continue;
    for (const language of LANGUAGES) {
      const { linkUnavailable } = PAGE_MESSAGES[language];
      files[`${path}.${language}.html`] = errorPageHtml(linkUnavailable, site, language);
    }
  }
  return files;
}

function errorPageHtml(
  { heading, sentence }: Pick<ErrorPage, "heading" | "sentence">,
  { productName, publicBaseUrl }: Site,
  language: Language = DEFAULT_LANGUAGE,
): string {
  const { goToSite } = PAGE_MESSAGES[language];
  return smallPageHtml(
    heading,
    productName,
    `<p>${sentence}</p>
<p><a href="${escapeHtml(publicBaseUrl)}/">${escapeHtml(goToSite(productName))}</a></p>`,
    language,
  );
}
