import {
  PATTERN_LINKS_MAX_COUNT,
  PATTERN_LINKS_PER_DAY_MAX_COUNT,
  PATTERN_NAME_MAX_LENGTH,
  PATTERN_TAGS_MAX_COUNT,
  PATTERNS_MAX_COUNT,
} from "../limits.ts";

export const patternNameRequired = "Name is required";
export const patternNameTooLong = `Name must be at most ${PATTERN_NAME_MAX_LENGTH} characters`;
export const patternNotFound = "This link pattern does not exist.";
export const tooManyPatterns = `You can have at most ${PATTERNS_MAX_COUNT} link patterns.`;
export const tooManyPatternTags = `A link pattern can have at most ${PATTERN_TAGS_MAX_COUNT} tags.`;

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

const count = (value: number) => value.toLocaleString("en");

export const patternUsage = (links: number, ofDay: number) =>
  `Links: ${count(links)} of ${count(PATTERN_LINKS_MAX_COUNT)}, within 24 hours ${count(ofDay)} of ${count(PATTERN_LINKS_PER_DAY_MAX_COUNT)}`;
export const patternTags = (tags: readonly string[]) => `Only with the tag ${tags.join(" or ")}`;
export const allPatternTags = "With any tag";
export const changePatternTags = "Tags";
export const changeTagsOfPattern = (name: string) => `Tags of ${name}`;
export const allowedTags = "Allowed tags";
export const allowedTagsHint =
  "Separated by commas. Other Amazon links only lead to Amazon and create no short link. If the field is empty, all tags are allowed.";
export const patternTagsChanged = "The tags of the link pattern were changed.";
export const failedToChangePattern = "Failed to change the link pattern. Please try again.";
export const deletePatternLinks = "Delete links";
export const deleteLinksOfPattern = (name: string) => `Delete links of ${name}`;
export const deletingPatternLinks = "Deleting...";
export const confirmDeletePatternLinks = (name: string) => `Delete the links of ${name}?`;
export const deletePatternLinksConsequence =
  "The short links stop working wherever they are shared, and their clicks are no longer shown. The address of the pattern goes on working.";
export const patternLinksDeleted = (links: number) =>
  links === 1 ? "1 link was deleted." : `${count(links)} links were deleted.`;
export const failedToDeletePatternLinks =
  "Not all links could be deleted. Please try again to delete the rest.";
