// Errors of a whole file
export const csvExpected = "Send the file with the content type text/csv.";
export const emptyFile = "There are no links in this file.";
export const unknownFileFormat =
  "This file has no column of addresses. The first line must name the columns, or each line must be an address.";
export const doubleColumns = (names: readonly string[]) =>
  `The first line of this file names columns twice${names.length > 0 ? `: ${names.join(", ")}` : ""}. Please rename or remove one of each.`;
export const unreadableFile =
  "This file could not be read as a table. A quote may not be closed, or a line may be too long.";
export const nulInFile = (line: number) =>
  `Line ${line} of this file has a character that is no text. Please save the file in UTF-8.`;
export const tooManyImportLines = "An import can have at most 10,000 lines. Please split the file.";
export const tooManyImportColumns = "A line of this file has more than 200 columns.";
export const importFileTooLarge = "The file is too large. It can have 10 MB at most.";
export const uploadTooSlow = "The file arrived too slowly. Please try again with a faster connection, or split it.";
export const importRunning = "Another import of yours is still running. Please wait for its end.";
export const importNotEnded = "This import is running. Cancel it first.";
export const importNotStarted = "This import was not started.";
export const importNotFound = "Import not found.";
export const importStarted = "This import was already started.";

/** Why a line creates no link. */
export const importRefusals = {
  "link-missing": "There is no address in this line.",
  "not-an-amazon-link": "Not an Amazon link.",
  "not-a-shopping-page": "An address of Amazon, but not of one of its stores.",
  "unusable-link": "This page of Amazon cannot be opened with a short link.",
  "repeated-line": "The same link is in an earlier line.",
  "already-yours": "You already have this link.",
  expired: "This link has expired.",
  "short-link-unknown": "Amazon does not know this short link.",
  "short-link-failed": "Amazon did not respond for this short link. Please try again.",
} as const;

/** Why a link gets a new code instead of the one in the file. */
export const importCodeReplacements = {
  "slug-taken": "is taken",
  "slug-reserved": "is reserved",
  "slug-malformed": "has characters or a length that are not possible here",
  "slug-repeated": "is in an earlier line too",
  "slug-differs-in-case": "differs from the code of an earlier line only in capital letters",
} as const;
export const codeReplaced = (slug: string, reason: string) => `New code: ${slug} ${reason}`;
/** In the result of an import. */
export const importResults = {
  pending: "not imported",
  created: "created",
  refused: "refused",
  existing: "already there",
} as const;
