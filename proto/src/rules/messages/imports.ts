export const importLinks = "Import links";
export const importFromElsewhere = "Import links from another service";
export const importIntro =
  "Bring your links from another service. Nothing is created before you have seen what each line becomes.";
export const importFormatNames = {
  own: (productName: string) => `an export of ${productName}`,
  bitly: () => "an export of Bitly",
  geniuslink: () => "an export of Geniuslink",
  kutt: () => "links of Kutt",
  shlink: () => "an export of Shlink",
  yourls: () => "an export of YOURLS",
  table: () => "a table with a column of addresses",
  addresses: () => "a list of addresses",
} as const;

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
export const uploadTooSlow =
  "The file arrived too slowly. Please try again with a faster connection, or split it.";
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

/** Why a link gets a new code in place of the one in the file. */
export const importCodeReplacements = {
  "slug-taken": "is taken",
  "slug-reserved": "is reserved",
  "slug-malformed": "has characters or a length that are not possible here",
  "slug-repeated": "is in an earlier line too",
  "slug-differs-in-case": "differs from the code of an earlier line only in capital letters",
} as const;
export const codeKept = (slug: string) => `Keeps ${slug}`;
export const codeGenerated = "Gets a generated code";
export const codeReplaced = (slug: string, reason: string) => `New code: ${slug} ${reason}`;
/** In the result of an import. */
export const importResults = {
  pending: "not imported",
  created: "created",
  refused: "refused",
  existing: "already there",
} as const;

export const addressStops = (address: string) => `${address} stops working here.`;
export const addressesStop = (count: number, text: string) =>
  count === 1
    ? "1 short address of this file will open no link here, and stops working if it leads here."
    : `${text} short addresses of this file will open no link here, and stop working if they lead here.`;
export const fileDomains = (count: number) => `This file has short addresses on ${count} domains.`;
export const codesStay = (hosts: string) => `Codes stay on ${hosts}.`;
export const domainsNotOwn = (hosts: string) =>
  `Not your domains here: ${hosts}. Add those that you own before you import, so that their short addresses go on working.`;
export const couldBe = (url: string) => `Probably meant: ${url}`;
export const takeRepairs = (count: number, text: string) =>
  count === 1 ? "Use 1 repaired address" : `Use ${text} repaired addresses`;
export const failedToRepairImport = "The addresses could not be repaired. Please try again.";

// The page
export const importFromFile = "Choose a file";
export const chooseFile = "Choose a CSV file";
export const readingFile = "Reading...";
export const oneFileAtATime = "One file at a time, please. None of these was read.";
export const dropFileHere = "Or drop it here. 10,000 lines and 10 MB at most.";
export const importFormats =
  "Exports of Bitly, Geniuslink, Shlink, YOURLS and Kutt are recognised, also our own, any table with a column of addresses, and a list with one address in each line. Short codes are kept where they are free. Clicks and dates of creation are not imported.";
export const importFromText = "Or paste addresses";
export const pasteAddresses = "One address in each line";
export const previewImport = "Preview";
export const failedToReadFile = "The file could not be sent. Please try again.";
export const importsFailed = "Your imports could not be loaded.";
export const pastedAddresses = "Pasted addresses";
export const recognisedAs = (format: string) => `This is ${format}.`;
export const importPlan = (count: number, text: string) => {
  if (count === 0) return "There is no new link in this file.";
  return count === 1
    ? "1 link will be created. Nothing has happened yet."
    : `${text} links will be created. Nothing has happened yet.`;
};
export const importIsRunning = "Your links are being created. You can leave this page.";
export const importProgress = "Progress of the import";
export const linksOf = (done: string, all: string) => `${done} of ${all} links`;
export const importFinished = (count: number, text: string) =>
  count === 1 ? "Done. 1 link was created." : `Done. ${text} links were created.`;
export const importRetryable = (count: number, text: string) =>
  count === 1 ? "Amazon did not respond for 1 line." : `Amazon did not respond for ${text} lines.`;
export const importCancelled = (done: string, all: string) =>
  `Cancelled. ${done} of ${all} links were created.`;
export const startImport = (count: number, text: string) =>
  count === 1 ? "Import 1 link" : `Import ${text} links`;
export const retryImport = (count: number, text: string) =>
  count === 1 ? "Try 1 line again" : `Try ${text} lines again`;
export const discardImport = "Discard";
export const cancelImport = "Cancel import";
export const cancellingImport = "Cancelling...";
export const confirmCancelImport = "Stop this import? The links that were created until now stay.";
export const failedToStartImport = "The import could not be started. Please try again.";
export const failedToCancelImport = "The import could not be cancelled. Please try again.";
export const failedToDeleteImport = "The import could not be deleted. Please try again.";
export const downloadImportResult = "Download result";
export const importResultFileName = (id: string) => `import-${id.slice(0, 8)}.csv`;
export const importAnotherFile = "Import another file";
export const filterImportLines = "Lines";
export const importFilters = {
  all: "All lines",
  links: "Links",
  replaced: "New code",
  refused: "Refused",
  lost: "Stop working",
  repairable: "Can be repaired",
} as const;
export const importLines = "Lines of the file";
export const importLinesFailed = "The lines could not be loaded.";
export const noImportLines = "There are no such lines.";
export const lineNumber = (number: string) => `Line ${number}`;
export const emptyLine = "No address";
export const lineNotImported = "Not imported";
export const earlierImports = "Earlier imports";
export const importStates = {
  ready: "not started",
  running: "running",
  finished: "finished",
  cancelled: "cancelled",
} as const;
export const importSummary = (date: string, state: string, created: string) =>
  `${date}, ${state}, links created: ${created}`;
export const showImport = "Show";
export const showImportOf = (name: string) => `Show ${name}`;
export const deleteImport = "Delete";
export const confirmDeleteImport =
  "Delete this import from the list? Its links stay, but its result can't be downloaded any more.";
