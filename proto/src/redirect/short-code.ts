/** 7 characters without look-alikes (no 0 O 1 I L): 31^7, about 2.7e10 codes. */
export const SHORT_CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
export const SHORT_CODE_LENGTH = 7;
export const SHORT_CODE_PATTERN: RegExp = /^[2-9a-hjkmnp-z]{7}$/;
