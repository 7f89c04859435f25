import {
  CODES_PER_LINK_MAX_COUNT,
  LINKS_CREATE_MAX_COUNT,
  SHORT_LINKS_CREATE_MAX_COUNT,
  SLUG_MAX_LENGTH,
  SLUG_MIN_LENGTH,
} from "../limits.ts";

export const fallbackIsShort = "Please paste the long address of the page, which starts with https://www.amazon.";

// Creating and changing links
export const slugMalformed = `A short link name has ${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters a to z, digits and single hyphens or underscores between them; on own domains from 1`;
export const slugReserved = "This short link name is reserved. Please choose another.";
export const tooManyShortCodes = `A link can have at most ${CODES_PER_LINK_MAX_COUNT} short link names. Please use one of its earlier ones.`;
export const slugTaken = "This short link name is taken. Please choose another.";
export const expiryInPast = "The expiry date must be in the future";
export const expiryTooFar = "The expiry date must be before December 31, 9999";
export const linksCountOutOfRange = `Send 1 to ${LINKS_CREATE_MAX_COUNT} links.`;
export const tooManyShortLinks = `At most ${SHORT_LINKS_CREATE_MAX_COUNT} of Amazon's short links can be created at once. Please send this one again.`;
