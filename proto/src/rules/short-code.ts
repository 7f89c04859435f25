import { DOMAIN_MAX_LENGTH, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "./limits.ts";

/** 7 characters without look-alikes (no 0 O 1 I L): 31^7, about 2.7e10 codes. */
export const SHORT_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
export const SHORT_CODE_LENGTH = 7;

const nameOf = (minLength: number) => `(?=[^@]{${minLength},${SLUG_MAX_LENGTH}}(?:@|$))[a-z0-9]+(?:[-_][a-z0-9]+)*`;
const NAME = nameOf(SLUG_MIN_LENGTH);
const NAME_ON_DOMAIN = nameOf(1);
const LABEL_END = "(?:[a-z0-9-]{0,61}[a-z0-9])";
const DOMAIN = `(?=[^@]{4,${DOMAIN_MAX_LENGTH}}$)(?:[a-z0-9]${LABEL_END}?\\.)+[a-z]${LABEL_END}`;

/** A name of a link on the site's own host: generated, or a slug, which consists of words joined by single `-` or `_`. */
export const NAME_PATTERN: RegExp = new RegExp(`^${NAME}$`);

/** A name on an own domain, which may have one or two characters. */
export const DOMAIN_NAME_PATTERN: RegExp = new RegExp(`^${NAME_ON_DOMAIN}$`);

export const DOMAIN_PATTERN: RegExp = new RegExp(`^${DOMAIN}$`);

/** A name; or `name@host` on an own domain, where `@host` is the link that opens at `/`. */
export const SHORT_CODE_PATTERN: RegExp = new RegExp(`^(?:${NAME}|(?:${NAME_ON_DOMAIN})?@${DOMAIN})$`);

/** The patterns in a form that other languages understand, without bounds of length. */
export const PORTABLE_NAME = "[a-z0-9]+([-_][a-z0-9]+)*";
export const PORTABLE_SHORT_CODE: string = `(${PORTABLE_NAME})?(@[a-z0-9.-]+)?`;

/** @param host of an own domain; null: the site's own host */
export function shortCodeOf(name: string, host: string | null): string {
  return host === null ? name : `${name}@${host}`;
}

/** The name, which is empty for the link at `/` of a domain, and the own domain, or null. */
export function splitShortCode(shortCode: string): { name: string; host: string | null } {
  const at = shortCode.indexOf("@");
  if (at === -1) return { name: shortCode, host: null };
  return { name: shortCode.slice(0, at), host: shortCode.slice(at + 1) };
}
