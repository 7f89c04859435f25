import {
  addressTooLong,
  badGateway,
  bodyTooLarge,
  gatewayTimeout,
  headersTooLarge,
  httpVersionNotSupported,
  internal,
  malformedRequest,
  methodNotAllowed,
  notFound,
  notImplemented,
  tooManyRequests,
  unavailable,
} from "@tapthru/proto/general-errors";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { DEFAULT_LANGUAGE, type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { smallPageHtml } from "@tapthru/proto/rules/pages/small-page";
import type { GatewaySettings } from "../settings.ts";

type Site = Pick<GatewaySettings, "PRODUCT_NAME" | "PUBLIC_BASE_URL">;

interface ErrorPage {
  /** Determines the status, and the message under /api. */
  error: ErrorReply;
  /** nginx's internal number of the error, if it is not an HTTP status. */
  nginxStatus?: number;
  heading: string;
  /** Default: the message. */
  sentence?: string;
}

const BACK_SOON = {
  heading: "We'll be right back",
  sentence: "This part of the site is temporarily unavailable. Please try again in a few seconds.",
};

/** Errors of a service. Those of a short link say the same as the redirect says when it cannot look up the link. */
const SERVICE_ERRORS: readonly ErrorReply[] = [badGateway, unavailable, gatewayTimeout];

const LANGUAGES = Object.keys(PAGE_MESSAGES) as Language[];

const ERROR_PAGES: readonly ErrorPage[] = [
  { error: malformedRequest, heading: "Bad request", sentence: "The server could not read this request." },
  { error: notFound, heading: "Page not found", sentence: "There is nothing at this address." },
  { error: methodNotAllowed, heading: "Not supported", sentence: "This address does not accept this kind of request." },
  { error: bodyTooLarge, heading: "Request too large" },
  { error: addressTooLong, heading: "Address too long" },
  { error: tooManyRequests, heading: "Too many requests" },
  { error: headersTooLarge, nginxStatus: 494, heading: "Request headers too large" },
  {
    error: internal,
    heading: "Something went wrong",
    sentence: "Please try again. If this keeps happening, try again later.",
  },
  { error: notImplemented, heading: "Not supported" },
  { error: badGateway, ...BACK_SOON },
  { error: unavailable, ...BACK_SOON },
  { error: gatewayTimeout, heading: "This took too long" },
  { error: httpVersionNotSupported, heading: "Not supported" },
];

/** Which file the response to each error has, as directives of nginx. */
export function errorPageDirectives(): string {
  const directives = ERROR_PAGES.map(({ error, nginxStatus = error.status }) => {
    const format = SERVICE_ERRORS.includes(error) ? "$service_error_format" : "$error_format";
    const { status } = error;
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
  for (const { error, heading, sentence = error.message } of ERROR_PAGES) {
    const { status, code, message } = error;
    const path = `_errors/${status}`;
    files[`${path}.html`] = errorPageHtml({ heading, sentence }, site);
    files[`${path}.txt`] = `${message}\n`;
    files[`${path}.problem`] = `${JSON.stringify({ title: message, status, code })}\n`;
    if (!SERVICE_ERRORS.includes(error)) continue;
    for (const language of LANGUAGES) {
      const { linkUnavailable } = PAGE_MESSAGES[language];
      files[`${path}.${language}.html`] = errorPageHtml(linkUnavailable, site, language);
    }
  }
  return files;
}

function errorPageHtml(
  { heading, sentence }: { heading: string; sentence: string },
  { PRODUCT_NAME, PUBLIC_BASE_URL }: Site,
  language: Language = DEFAULT_LANGUAGE,
): string {
  const { goToSite } = PAGE_MESSAGES[language];
  return smallPageHtml(
    heading,
    PRODUCT_NAME,
    `<p>${sentence}</p>
<p><a href="${escapeHtml(PUBLIC_BASE_URL)}/">${escapeHtml(goToSite(PRODUCT_NAME))}</a></p>`,
    language,
  );
}
