import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "../rules/limits.ts";

/** 7 characters without look-alikes (no 0 O 1 I L): 31^7, about 2.7e10 codes. */
export const SHORT_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
export const SHORT_CODE_LENGTH = 7;

/** Every short code: generated ones, and slugs, which are words joined by single hyphens. */
export const SHORT_CODE_PATTERN: RegExp = new RegExp(
  `^(?=.{${SLUG_MIN_LENGTH},${SLUG_MAX_LENGTH}}$)[a-z0-9]+(?:-[a-z0-9]+)*$`,
);
