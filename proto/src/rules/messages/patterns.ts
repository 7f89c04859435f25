import { PATTERN_NAME_MAX_LENGTH, PATTERN_TAGS_MAX_COUNT, PATTERNS_MAX_COUNT } from "../limits.ts";

export const patternNameRequired = "Name is required";
export const patternNameTooLong = `Name must be at most ${PATTERN_NAME_MAX_LENGTH} characters`;
export const patternNotFound = "This link pattern does not exist.";
export const tooManyPatterns = `You can have at most ${PATTERNS_MAX_COUNT} link patterns.`;
export const tooManyPatternTags = `A link pattern can have at most ${PATTERN_TAGS_MAX_COUNT} tags.`;
