import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "../rules/limits.ts";

/** 7 characters without look-alikes (no 0 O 1 I L): 31^7, about 2.7e10 codes. */
export const SHORT_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
export const SHORT_CODE_LENGTH = 7;

const NAME = `(?=[^@]{${SLUG_MIN_LENGTH},${SLUG_MAX_LENGTH}}(?:@|$))[a-z0-9]+(?:-[a-z0-9]+)*`;
const HOST =
  "(?=[^@]{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])";

/** A name of a link: generated, or a slug, which consists of words joined by single hyphens. */
export const NAME_PATTERN: RegExp = new RegExp(`^${NAME}$`);

/** The name of a host, in ASCII and lower case. */
export const HOST_PATTERN: RegExp = new RegExp(`^${HOST}$`);

/**
 * Every short code: a name; or `name@host` on an own domain, where `@host` is the link that opens at `/` and for unknown
 * names.
 */
export const SHORT_CODE_PATTERN: RegExp = new RegExp(`^(?:${NAME}|(?:${NAME})?@${HOST})$`);

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
