import * as z from "zod/mini";
import {
  DOMAIN_MAX_LENGTH,
  IMPORT_FILE_MAX_BYTES,
  IMPORT_LINES_PAGE_MAX_SIZE,
} from "../rules/limits.ts";
import type { LinkError } from "../rules/link-errors.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { booleanText, numberText } from "./fields.ts";
import { StoredOwnerFields } from "./owner-fields.ts";

/** `table`: a table of no product that is known; `addresses`: one address in each line. */
export const ImportFormat = z.enum([
  "own",
  "bitly",
  "geniuslink",
  "kutt",
  "shlink",
  "yourls",
  "table",
  "addresses",
]);
export type ImportFormat = z.infer<typeof ImportFormat>;

/** `ready`: nothing was created yet. `cancelled`: what was created until then stays. */
export const ImportState = z.enum(["ready", "running", "finished", "cancelled"]);
export type ImportState = z.infer<typeof ImportState>;

/** Why a line creates no link. */
export const Refusal = z.enum([
  "link-missing",
  "not-an-amazon-link",
  "not-a-shopping-page",
  "unusable-link",
  "repeated-line",
  "already-yours",
  "expired",
  "short-link-unknown",
  "short-link-failed",
]);
export type Refusal = z.infer<typeof Refusal>;

/** A line tells no more than that its address cannot be used. */
export function lineRefusal(code: LinkError["code"]): Refusal {
  return code === "link-too-long" || code === "link-incomplete" ? "unusable-link" : code;
}

/** Why a link gets a generated code in place of the one in the file. */
export const CodeReplacement = z.enum([
  "slug-taken",
  "slug-reserved",
  "slug-malformed",
  "slug-repeated",
  "slug-differs-in-case",
]);
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
});
export type Import = z.infer<typeof Import>;

const { nickname, title, expiresAt, ...otherFields } = StoredOwnerFields.shape;

/** A line of the file: before its end what it will become, afterwards what it became. */
export const ImportLine = z.object({
  /** The number of the line in the file, from 1. */
  line: z.int(),
  /** As in the file, at most URL_MAX_BYTES of it. */
  url: z.string(),
  /** The code in the file; null if there is none, so that the link gets a generated one. */
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

const params = z.object({ id: z.uuid({ error: messages.importNotFound }) });

const count = (digits: RegExp) => z.pipe(z.string().check(z.regex(digits)), z.transform(Number));

/** Which lines a page has. */
export const ImportFilter = z.enum(["all", "links", "replaced", "refused", "lost", "repairable"]);
export type ImportFilter = z.infer<typeof ImportFilter>;

/** Postgres, for one, cannot store NUL characters. */
const fileName = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, messages.onlyVisibleCharacters),
  );

/** Of all links of the file: absent: the user's default domain; empty: the site's own host. */
const domain = z.optional(
  z.pipe(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(DOMAIN_MAX_LENGTH)),
    z.transform((host) => host || null),
  ),
);

/**
 * Reads a file of links and stores what each line will become. Creates no link. The body is a CSV of one of the formats, or
 * one address in each line, in UTF-8, UTF-16 or Latin-1. It replaces an earlier import of the user that was not started.
 */
export const createImport = {
  method: "POST",
  path: "/api/imports",
  access: "links:write",
  limit: "createImports",
  query: z.object({
    name: z.optional(fileName),
    domain,
    channel: z.optional(numberText(/^\d{1,9}$/)),
    usesChannelTag: z._default(booleanText, false),
  }),
  file: { type: "text/csv", maxBytes: IMPORT_FILE_MAX_BYTES },
  replies: { 201: ImportWithLines },
} as const satisfies Call;

/** The user's imports, newest first. */
export const listImports = {
  method: "GET",
  path: "/api/imports",
  access: "links:read",
  replies: { 200: z.array(Import) },
} as const satisfies Call;

/**
 * An import and a page of its lines, in their order, after the line `after`. With `Accept: text/csv` the reply is the result
 * of every line.
 */
export const getImport = {
  method: "GET",
  path: "/api/imports/:id",
  access: "links:read",
  params,
  query: z.object({
    show: z._default(ImportFilter, "all"),
    after: z._default(count(/^\d{1,9}$/), 0),
    limit: z._default(
      z.pipe(count(/^\d{1,3}$/), z.int().check(z.lte(IMPORT_LINES_PAGE_MAX_SIZE))),
      50,
    ),
  }),
  replies: { 200: ImportWithLines },
} as const satisfies Call;

/** Takes the repaired addresses of all lines. 409: the import was already started. */
export const repairImport = {
  method: "POST",
  path: "/api/imports/:id/repair",
  access: "links:write",
  params,
  replies: { 200: Import },
} as const satisfies Call;

/**
 * Starts the import in the background. A finished import starts again for the lines that can be tried again. Idempotent while it
 * is running. 409: another import of the user is running.
 */
export const startImport = {
  method: "POST",
  path: "/api/imports/:id/start",
  access: "links:write",
  params,
  replies: { 200: Import },
} as const satisfies Call;

/**
 * Cancels a running import; it stops within a second, and the links that were created stay. An import that has ended is returned
 * as it is. 409: it was not started.
 */
export const cancelImport = {
  method: "POST",
  path: "/api/imports/:id/cancel",
  access: "links:write",
  params,
  replies: { 200: Import },
} as const satisfies Call;

/** Deletes an import; its links stay. 409: it is running. */
export const deleteImport = {
  method: "DELETE",
  path: "/api/imports/:id",
  access: "links:write",
  params,
  replies: { 200: z.object({ id: z.uuid() }) },
} as const satisfies Call;
