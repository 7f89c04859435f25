import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { domainRefused } from "@tapthru/proto/domains";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import { hasTrustedName, TRUSTED_NAME } from "@tapthru/proto/rules/slug";
import { parse } from "tldts";
import { ApiError } from "../http/errors.ts";

const domainIsInternal = "This name does not exist on the public internet.";

/** Endings that are reserved for documentation and tests (RFC 2606). */
const TEST_ENDINGS = ["example", "test"];

export interface HostNameSettings {
  siteHost: string;
  allowsTestNames: boolean;
}

/** @param text as typed; the address of a page is accepted too @throws ApiError (domain-refused) with the reason */
export function readHostName(text: string, { siteHost, allowsTestNames }: HostNameSettings) {
  const typed = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/[/?#].*$/s, "")
    .replace(/\.$/, "");
  const host = domainToASCII(typed);
  if (isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0) throw refused("Please enter a name. An IP address cannot be used.");
  if (host === "localhost" || host.endsWith(".localhost")) throw refused(domainIsInternal);
  if (!SHORT_CODE_PATTERN.test(`@${host}`)) throw refused(domainRefused.message);
  if (isWithin(host, siteHost) || isWithin(siteHost, host))
    throw refused("This name belongs to this site. Please enter your own domain.");
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  const isTestName = TEST_ENDINGS.some((ending) => host.endsWith(`.${ending}`));
  if (!isIcann && !isPrivate && !(allowsTestNames && isTestName)) {
    throw refused(domainIsInternal);
  }
  if (domain === null) throw refused("Others register their domains under this name. Please enter your own domain.");
  const labels = domainToUnicode(host).split(".");
  if (labels.some((label) => !hasOneScript(label)))
    throw refused("This name mixes letters of several scripts, and could be mistaken for another one.");
  if (labels.some(hasTrustedName)) throw refused(TRUSTED_NAME);
  return host;
}

/** Returns true if the host is the one that is registered, where the DNS allows no CNAME. */
export function isApex(host: string): boolean {
  return parse(host, { allowPrivateDomains: true }).domain === host;
}

function refused(message: string): ApiError {
  return new ApiError(domainRefused, { message, field: "host" });
}

function isWithin(host: string, parent: string): boolean {
  return host === parent || host.endsWith(`.${parent}`);
}

/** Scripts, and those that are written together, with Latin in Japanese and Korean: "highly restrictive" in UTS 39, 5.2. */
const SCRIPTS = [
  /^\p{scx=Cyrillic}*$/u,
  /^\p{scx=Greek}*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hangul}]*$/u,
];
/** Signs that are read as Latin letters or hyphens before one: `g〇〇gle`. */
const LATIN_ALIKE = /(?:^|[\p{Script=Latin}\d-])[〇一丨丶丿工口卜ノーニエロトヘへ・]+(?=\p{Script=Latin})/u;
const OTHER_SCRIPTS =
  "Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Sinhala Tamil Telugu Thai"
    .split(" ")
    .map((script) => new RegExp(`^\\p{scx=${script}}*$`, "u"));

function hasOneScript(label: string): boolean {
  const letters = label.replaceAll(/[0-9-]/g, "");
  return [...SCRIPTS, ...OTHER_SCRIPTS].some((script) => script.test(letters)) && !LATIN_ALIKE.test(label);
}
