import * as z from "zod/mini";
import { resource } from "./call.ts";
import { channelNotFound, TAG_OF_NEW_LINKS } from "./channels.ts";
import { domainNotUsable } from "./domains.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_STORE_URL } from "./example-values.ts";
import { booleanText, csvSeparator, inputs, numberText, onlyVisibleCharacters, timeZone } from "./fields.ts";
import { uploadTooSlow } from "./general-errors.ts";
import { linkExpired } from "./links.ts";
import { EXAMPLE_OWNER_FIELDS, StoredOwnerFields } from "./owner-fields.ts";
import { error } from "./rules/error.ts";
import { DOMAIN_MAX_LENGTH, IMPORT_FILE_MAX_BYTES } from "./rules/limits.ts";
import type { LinkRefusal } from "./rules/link-errors.ts";

const IMPORT_LINES_PAGE_MAX_SIZE = 200;

/** Why a line creates no link. */
export const importRefusals = {
  "link-missing": "There is no address in this line.",
  "not-an-amazon-link": "Not an Amazon link.",
  "not-a-shopping-page": "An address of Amazon, but not of one of its stores.",
  "unusable-link": "This page of Amazon cannot be opened with a short link.",
  "repeated-line": "The same link is in an earlier line.",
  "already-yours": "You already have this link.",
  expired: linkExpired.message,
  "expiry-unclear": "The date of expiry is not clear. Write it as 2026-12-31.",
  "short-link-unknown": "Amazon does not know this short link.",
  "short-link-failed": "Amazon did not respond for this short link. Please try again.",
} as const;

/** Why a link gets a new code in place of the one in the file. */
export const importCodeReplacements = {
  "slug-missing": "is missing in the file",
  "slug-taken": "is taken",
  "slug-reserved": "is reserved",
  "slug-malformed": "has characters or a length that are not possible here",
  "slug-repeated": "is in an earlier line too",
  "slug-differs-in-case": "differs from the code of an earlier line only in capital letters",
} as const;

export const codeReplaced = (slug: string, reason: string) => `New code: ${slug || "that of the address"} ${reason}`;

/** @param unclearExpiry what the file has instead of a date */
export function refusalText(refusal: Refusal, unclearExpiry: string | null): string {
  const text = importRefusals[refusal];
  return refusal === "expiry-unclear" ? `${text} The file has “${unclearExpiry}”.` : text;
}

export const csvExpected = error("csv-expected", 415, "Send the file with the content type text/csv.");
export const importDoubleColumns = error(
  "import-double-columns",
  422,
  "This file names columns twice. Please rename or remove one of each.",
);
export const importEmpty = error("import-empty", 422, "There are no links in this file.");
export const importFileTooLarge = error(
  "import-file-too-large",
  413,
  "The file is too large. It can have 10 MB at most.",
);
export const importFormatUnknown = error(
  "import-format-unknown",
  422,
  "This file has no column of addresses. One of its first five lines must name the columns, or each line must be an address.",
);
export const importNotEnded = error("import-not-ended", 409, "This import is running. Cancel it first.");
export const importNotFound = error("import-not-found", 404, "Import not found.");
export const importNotStarted = error("import-not-started", 409, "This import was not started.");
export const importRunning = error(
  "import-running",
  409,
  "Another import of yours is still running. Please wait for its end.",
);
export const importStarted = error("import-started", 409, "This import was already started.");
export const importTooManyColumns = error(
  "import-too-many-columns",
  422,
  "A line of this file has more than 200 columns.",
);
export const importTooManyLines = error(
  "import-too-many-lines",
  422,
  "An import can have at most 10,000 lines. Please split the file.",
);
export const importUnreadable = error(
  "import-unreadable",
  422,
  "This file could not be read as a table. A quote may not be closed, or a line may be too long.",
);

/** `table`: a table of no product that is known; `addresses`: one address in each line. */
export const ImportFormat = z.enum(["own", "bitly", "geniuslink", "kutt", "shlink", "yourls", "table", "addresses"]);
export type ImportFormat = z.infer<typeof ImportFormat>;

/** `ready`: nothing was created yet. `cancelled`: what was created until then stays. */
export const ImportState = z.enum(["ready", "running", "finished", "cancelled"]);
export type ImportState = z.infer<typeof ImportState>;

export const Refusal = z.enum(Object.keys(importRefusals) as (keyof typeof importRefusals)[]);
export type Refusal = z.infer<typeof Refusal>;

/** A line tells no more than that its address cannot be used. */
export function lineRefusal(code: LinkRefusal["code"]): Refusal {
  return code === "link-too-long" || code === "link-incomplete" ? "unusable-link" : code;
}

export const CodeReplacement = z.enum(Object.keys(importCodeReplacements) as (keyof typeof importCodeReplacements)[]);
export type CodeReplacement = z.infer<typeof CodeReplacement>;

/**
 * Numbers of lines. `links`: they will be or were created; `replaced`: with a new code; `created`: until now; `retryable`: refused
 * ones that can be tried again; `lost`: their code opens no link here, so that a short address that leads here with it stops
 * working; `repairable`: with a `repairedUrl`.
 */
export const ImportCounts = z.object({
  lines: z.int(),
  links: z.int(),
  replaced: z.int(),
  refused: z.int(),
  created: z.int(),
  retryable: z.int(),
  lost: z.int(),
  repairable: z.int(),
});

/** What a file in none of the Unicode encodings may be in. */
export const FILE_ENCODINGS = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1254",
  "windows-1256",
  "shift_jis",
  "macintosh",
] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

/** How a file was read. */
const Reading = z.object({
  encoding: z.string(),
  /** False: it is `encoding` of the request, or a guess. */
  isEncodingCertain: z.boolean(),
  /** The start of the first line whose text depends on the encoding, if that is not certain. */
  sample: z.nullable(z.string()),
  /** Those above the names of the columns, without empty ones. */
  skippedLines: z.int(),
  /** The names in the header of a table of no product that is known; otherwise empty. */
  columns: z.array(z.string()),
  /** The numbers from 1 of those with address, code, name and expiry; 0: it has none. */
  usedColumns: z.array(z.int()),
  /** The names of columns of which nothing is imported. */
  ignoredColumns: z.array(z.string()),
});
export type Reading = z.infer<typeof Reading>;

export const Import = z.object({
  id: z.uuid(),
  fileName: z.nullable(z.string()),
  format: ImportFormat,
  state: ImportState,
  /** Of the links; null: the site's own host. */
  domain: z.nullable(z.string()),
  /** The domains of short addresses in the file. Links of those that are `own` ones of the user stay on them. */
  fileDomains: z.array(z.object({ host: z.string(), isOwn: z.boolean() })),
  /** Of the links; null: the user's default channel. */
  channelId: z.nullable(z.int()),
  /** Whether links without a tag get that of the channel. */
  usesChannelTag: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
  counts: ImportCounts,
  reading: Reading,
});
export type Import = z.infer<typeof Import>;

const { nickname, title, expiresAt, ...otherFields } = StoredOwnerFields.shape;

/** A line of the file: before its end what it will become, afterwards what it became. */
export const ImportLine = z.object({
  /** The number of the line in the file, from 1. */
  line: z.int(),
  /** As in the file, at most URL_MAX_BYTES of it. */
  url: z.string(),
  /** The code in the file; null or empty if there is none, so that the link gets a generated one. */
  slug: z.nullable(z.string()),
  /** The domain of the short address in the file. */
  domain: z.nullable(z.string()),
  /** The address that was probably meant; `repairImport` takes it. */
  repairedUrl: z.nullable(z.string()),
  nickname,
  title,
  ...otherFields,
  labels: z.array(z.string()),
  expiresAt,
  /** What the file has instead of a date that is clear; such a line is refused. */
  unclearExpiry: z.nullable(z.string()),
  state: z.enum(["pending", "created", "refused"]),
  /** Of a refused line; otherwise null. */
  refusal: z.nullable(Refusal),
  /** Why the link does not keep `slug`; null if it does or if there is none. */
  replacement: z.nullable(CodeReplacement),
  /** Whether `slug` opens no link here. */
  isLost: z.boolean(),
  /** Of a created link; otherwise null. */
  shortUrl: z.nullable(z.string()),
});
export type ImportLine = z.infer<typeof ImportLine>;

export const ImportWithLines = z.extend(Import, {
  lines: z.array(ImportLine),
  /** `after` of the next page; null on the last page. */
  nextAfter: z.nullable(z.int()),
});
export type ImportWithLines = z.infer<typeof ImportWithLines>;

const params = z.object({ id: z.uuid({ error: importNotFound.message }) });

const count = (digits: RegExp) => z.pipe(z.string().check(z.regex(digits)), z.transform(Number));

export const ImportFilter = z.enum(["all", "links", "replaced", "refused", "lost", "repairable"]);
export type ImportFilter = z.infer<typeof ImportFilter>;

/** Postgres, for one, cannot store NUL characters. */
const fileName = z
  .string()
  .check(z.maxLength(200), z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, onlyVisibleCharacters))
  .register(inputs, {
    also: {
      pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$",
      description: "The name of the file, without control characters and line breaks.",
    },
  });

/** Of all links of the file: absent: the user's default domain; empty: the site's own host. */
const domain = z.optional(
  z.pipe(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(DOMAIN_MAX_LENGTH)),
    z.transform((host) => host || null),
  ),
);

const columns = z
  .pipe(
    z.string().check(z.regex(/^\d{1,3}(?:,\d{1,3}){3}$/)),
    z.transform((text) => text.split(",").map(Number)),
  )
  .register(inputs, {
    as: {
      type: "string",
      pattern: "^[0-9]{1,3}(,[0-9]{1,3}){3}$",
      description:
        "The numbers from 1 of the columns with address, code, name and expiry; 0: there is none. Default: by their names.",
    },
  });

const imports = resource("Imports", { reads: "links:read", writes: "links:write" });

const ID = "5f0c2c1e-8d4b-4a67-9f0e-2f6c1b7a9d30";
const READY: Import = {
  id: ID,
  fileName: "bitly.csv",
  format: "bitly",
  state: "ready",
  domain: null,
  fileDomains: [{ host: "bit.ly", isOwn: false }],
  channelId: 3,
  usesChannelTag: true,
  createdAt: "2026-11-20T18:05:12.345Z",
  startedAt: null,
  endedAt: null,
  counts: {
    lines: 2,
    links: 1,
    replaced: 0,
    refused: 1,
    created: 0,
    retryable: 0,
    lost: 1,
    repairable: 0,
  },
  reading: {
    encoding: "utf-8",
    isEncodingCertain: true,
    sample: null,
    skippedLines: 0,
    columns: [],
    usedColumns: [1, 2, 3, 0],
    ignoredColumns: [],
  },
};
const RUNNING: Import = { ...READY, state: "running", startedAt: "2026-11-20T18:06:00.000Z" };
const FINISHED: Import = {
  ...RUNNING,
  state: "finished",
  endedAt: "2026-11-20T18:06:01.000Z",
  counts: { ...READY.counts, created: 1 },
};
const CANCELLED: Import = { ...FINISHED, state: "cancelled" };
const LINE: ImportLine = {
  line: 2,
  url: EXAMPLE_STORE_URL,
  slug: "3xyzabc",
  domain: "bit.ly",
  repairedUrl: null,
  ...EXAMPLE_OWNER_FIELDS,
  unclearExpiry: null,
  labels: ["camping"],
  state: "pending",
  refusal: null,
  replacement: null,
  isLost: false,
  shortUrl: null,
};
const REFUSED: ImportLine = {
  ...LINE,
  line: 3,
  url: "https://shop.example/mug",
  slug: "3xyzabd",
  nickname: null,
  labels: [],
  state: "refused",
  refusal: "not-an-amazon-link",
  isLost: true,
};
const CREATED: ImportLine = {
  ...LINE,
  state: "created",
  shortUrl: `${EXAMPLE_BASE_URL}/l/${LINE.slug}`,
};
const FILE = `long_url,link,title,tags\r\n${EXAMPLE_STORE_URL},https://bit.ly/3xYzAbC,Mug of the camping list,camping\r\nhttps://shop.example/mug,https://bit.ly/3xYzAbD,,\r\n`;

export const createImport = imports.post("/api/imports", {
  summary: "Send a file of links for import",
  description: `Returns what each line will become, and creates nothing. The body is a CSV of Bitly, Dub, Geniuslink, Kutt, Rebrandly, Shlink, Short.io or YOURLS, an export of this service, any table with a column of addresses, or one address in each line; 10,000 lines and 10 MB at most. The names of the columns are in the first five lines. A file that is not in UTF-8 or UTF-16 is read in \`encoding\`, by default Windows-1252. Dates without a time end with the day in the time zone \`tz\`, and have the order of day and month that all of them allow; a line whose date is not clear is refused. Short codes are kept in lower case unless \`replacement\` says why not; clicks and dates of creation are not imported. \`domain\` is an own domain for all links of the file, or empty for the host of this service; without it they are on the user's default domain. A link whose short address in the file is on another own domain of the user stays on that one. \`channel\` is the id of the channel of all links. ${TAG_OF_NEW_LINKS} It replaces an earlier import of the user that was not started.`,
  limit: "createImports",
  query: z.object({
    name: z.optional(fileName),
    domain,
    channel: z.optional(numberText(/^\d{1,9}$/)),
    usesChannelTag: z._default(booleanText, false),
    encoding: z.optional(z.enum(FILE_ENCODINGS)),
    columns: z.optional(columns),
    tz: timeZone,
  }),
  file: { type: "text/csv", maxBytes: IMPORT_FILE_MAX_BYTES },
  replies: { 201: ImportWithLines },
  errors: [
    channelNotFound,
    csvExpected,
    domainNotUsable,
    importDoubleColumns,
    importEmpty,
    importFileTooLarge,
    importFormatUnknown,
    importTooManyColumns,
    importTooManyLines,
    importUnreadable,
    uploadTooSlow,
  ],
  fileExample: FILE,
  records: "import.created",
  example: {
    query: { name: "bitly.csv", channel: "3", usesChannelTag: "true" },
    replies: { 201: { ...READY, lines: [LINE, REFUSED], nextAfter: null } },
  },
});

export const listImports = imports.get("/api/imports", {
  summary: "List imports",
  description:
    "The user's imports, newest first, ten at most. They are deleted 30 days after their end, or after a day if they were not started.",
  replies: { 200: z.array(Import) },
  example: { replies: { 200: [FINISHED] } },
});

export const getImport = imports.get("/api/imports/:id", {
  summary: "Get an import and its lines",
  description:
    "A page of lines, in their order, after the line `after`; `nextAfter` is the value for the next page. As CSV: the result of every line.",
  params,
  query: z.object({
    show: z._default(ImportFilter, "all"),
    after: z._default(count(/^\d{1,9}$/), 0),
    limit: z
      ._default(z.pipe(count(/^\d{1,3}$/), z.int().check(z.lte(IMPORT_LINES_PAGE_MAX_SIZE))), 50)
      .register(inputs, { also: { description: `0 to ${IMPORT_LINES_PAGE_MAX_SIZE}.` } }),
    separator: csvSeparator,
  }),
  replies: { 200: ImportWithLines },
  errors: [importNotFound],
  otherTypes: {
    "text/csv": `line,url,slug,result,reason,short_url\r\n2,${EXAMPLE_STORE_URL},${LINE.slug},created,,${CREATED.shortUrl}\r\n3,https://shop.example/mug,3xyzabd,refused,Not an Amazon link.,\r\n`,
  },
  example: {
    params: { id: ID },
    query: { show: "all", limit: "50" },
    replies: { 200: { ...FINISHED, lines: [CREATED, REFUSED], nextAfter: null } },
  },
});

export const repairImport = imports.post("/api/imports/:id/repair", {
  summary: "Take the repaired addresses of an import",
  description:
    "Some lines have a `repairedUrl`: the address that was probably meant, for example without HTML entities. Takes those of all lines, before the start.",
  params,
  replies: { 200: Import },
  errors: [importNotFound, importStarted],
  example: { params: { id: ID }, replies: { 200: READY } },
});

export const startImport = imports.post("/api/imports/:id/start", {
  summary: "Start an import",
  description:
    "Creates the links in the background. Get the import for its progress. A user has one running import at a time. A finished import starts again for its `retryable` lines: their short links of Amazon could not be looked up.",
  params,
  stale: ["Labels", "Channels"],
  replies: { 200: Import },
  errors: [importNotFound, importRunning, importStarted],
  records: "import.changed",
  example: { params: { id: ID }, replies: { 200: RUNNING } },
});

export const cancelImport = imports.post("/api/imports/:id/cancel", {
  summary: "Cancel an import",
  description:
    "Stops a running import. The links that it created stay; `counts.created` says how many. An import that has ended is returned as it is.",
  params,
  replies: { 200: Import },
  errors: [importNotFound, importNotStarted],
  records: "import.changed",
  example: { params: { id: ID }, replies: { 200: CANCELLED } },
});

export const deleteImport = imports.delete("/api/imports/:id", {
  summary: "Delete an import",
  description: "Deletes an import that is not running. The links that it created stay.",
  params,
  replies: { 200: z.object({ id: z.uuid() }) },
  errors: [importNotEnded, importNotFound],
  records: "import.deleted",
  example: { params: { id: ID }, replies: { 200: { id: ID } } },
});
