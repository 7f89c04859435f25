import { PATTERN_NAME_MAX_LENGTH, PATTERNS_MAX_COUNT } from "../limits.ts";

export const patternNameRequired = "Name is required";
export const patternNameTooLong = `Name must be at most ${PATTERN_NAME_MAX_LENGTH} characters`;
export const patternNotFound = "This link pattern does not exist.";
export const tooManyPatterns = `You can have at most ${PATTERNS_MAX_COUNT} link patterns.`;

// The section of the account
export const linkPatterns = "Link patterns";
export const linkPatternsText =
  "For the Amazon links on your own site: put the address of a pattern in front of each, and it becomes one of your short links when it is first opened.";
export const newPattern = "New link pattern";
export const createPattern = "Create link pattern";
export const noPatterns = "You have no link patterns.";
export const patternsNotLoaded = "Your link patterns could not be loaded.";
export const patternName = "Name of the pattern";
export const patternNameHint = "For example the site that you use it on.";
export const creatingPattern = "Creating...";
export const failedToCreatePattern = "Failed to create the link pattern. Please try again.";
export const patternReplyLost =
  "No reply arrived. Please see whether the pattern is in the list before you try again.";
export const patternCreated = "The link pattern was created. Copy its address from the list.";
export const patternCreatedOn = (date: string) => `Created ${date}`;
export const copyPattern = (name: string) => `Copy the address of ${name}`;
export const patternCopied = "The address was copied.";
export const failedToCopyPattern = "Failed to copy the address. Please try again.";
export const patternUse =
  "Add the Amazon link after the =. If it contains & or #, encode it as a query value.";
export const revokePatternConsequence =
  "Links on your site that begin with this address stop working. The short links that it created stay.";
export const patternRevoked = "The link pattern was revoked.";
export const patternRevokedBefore = "This link pattern had already been revoked.";
