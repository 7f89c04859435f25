import { isStoreName } from "../clean-metadata.ts";
import type { Outcome } from "../source.ts";

const CAPTCHA_MARKUP = [
  "/errors/validatecaptcha",
  "opfcaptcha",
  "csm-captcha-instrumentation",
  "bm-verify=",
  "aws-waf-token",
  "gokuprops",
];
/** Text of captcha pages. A product page may contain the same text. */
const CAPTCHA_WORDS = /enter the characters you see|robot check/;
const ROBOT_WORDS = /api-services-support@amazon\.com|to discuss automated access to amazon data/;
const CONSENT_MARKUP = /\bid=["']?sp-cc\b|\/privacyprefs\//;
const GONE_WORDS = /dogs of amazon|looking for something\?|couldn.{1,6}t find that page/;

/** Why a page has no content, such as a captcha, by its status and text; null for a page with content. */
export function classifyResponse(status: number, html: string): Outcome | null {
  const text = html.toLowerCase();
  if (CAPTCHA_MARKUP.some((part) => text.includes(part))) return "captcha";
  const byStatus = outcomeByStatus(status);
  if (byStatus !== null || /\bid\s*=\s*["']?producttitle\b/.test(text)) return byStatus;
  const title = /<title[^<>]*>([^<]*)/.exec(text)?.[1] ?? "";
  if (CAPTCHA_WORDS.test(text) || isStoreName(title)) return "captcha";
  // On ordinary pages the cookie consent is only a banner.
  if (CONSENT_MARKUP.test(text) && !text.includes("og:image")) return "consent";
  if (title.includes("something went wrong")) return "error-page";
  if (GONE_WORDS.test(text)) return "gone";
  return ROBOT_WORDS.test(text) ? "captcha" : null;
}

export function outcomeByStatus(status: number): Outcome | null {
  if (status >= 500) return "error-page";
  if (status === 404 || status === 410) return "gone";
  if (status >= 400) return "refused";
  return null;
}
