import { inserted } from "@tapthru/core/events";
import { findChannelTags, NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import { linksToAddress } from "@tapthru/core/links/links-to-address";
import { ownerColumns, ownerFieldNames, ownerFieldsWithTypes } from "@tapthru/core/links/owner-columns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Import, ImportFormat, Reading } from "@tapthru/proto/imports";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { sql } from "slonik";
import * as z from "zod/mini";
import { mapInTurns } from "./map-in-turns.ts";
import {
  addressedLine,
  type LinkDomains,
  type OwnLink,
  type PlannedLine,
  planLines,
  repairedLine,
  type UsedCode,
  wantedAddresses,
  wantedCodes,
} from "./plan-lines.ts";
import { deleteEndedImport, getImport, type ImportRow } from "./queries.ts";
import { type FileLine, type ReadOptions, readLines } from "./read-lines.ts";

/** Imports of a user that are kept; a new one replaces the oldest that is not running. */
const IMPORTS_MAX_COUNT = 10;

type PrepareDb = Db<"any" | "query" | "transaction">;

/** A batch is looked up or inserted well within the statement timeout, also while the machine is busy. */
const BATCH = 250;

/** Of a file; further ones are not named. */
const FILE_DOMAINS_MAX_COUNT = 20;

interface FileToImport extends LinkDomains {
  userId: number;
  fileName: string | null;
  /** Null: the user's default channel. */
  channelId: number | null;
  usesChannelTag: boolean;
  file: Uint8Array;
  options: ReadOptions;
}

/** Reads a file, decides what each line will become, and stores that. Creates no link. */
export async function prepareImport(db: PrepareDb, { file, options, ...request }: FileToImport): Promise<ImportRow> {
  const { userId } = request;
  const { format, lines, reading } = await readLines(file, options);
  const planned = await plan(db, request, lines);
  for (const id of await findReplacedImports(db, { userId, keep: IMPORTS_MAX_COUNT - 1 })) {
    await deleteEndedImport(db, id);
  }
  return db.transaction(async (transaction) => {
    const fileDomains = fileDomainsOf(lines, request);
    const newImport = { ...request, format, reading, fileDomains, lines: planned };
    const id = await insertImport(transaction, newImport);
    for (const batch of batches(planned)) await insertLines(transaction, id, batch);
    return getImport(transaction, { userId, id });
  });
}

function fileDomainsOf(lines: readonly FileLine[], { ownDomains }: LinkDomains) {
  const hosts = new Set(lines.flatMap(({ slug, domain }) => (slug !== null && domain) || []));
  return [...hosts]
    .map((host) => ({ host, isOwn: ownDomains.includes(host) }))
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
    .slice(0, FILE_DOMAINS_MAX_COUNT);
}

/** Decides what lines will become, with what the user and others have now. */
async function plan(
  db: Pick<PrepareDb, "any">,
  { userId, domain, ownDomains, ...choice }: Omit<FileToImport, "file" | "fileName" | "options">,
  lines: readonly FileLine[],
): Promise<PlannedLine[]> {
  const channels = choice.usesChannelTag ? await findChannelTags(db, userId) : NO_CHANNELS;
  const tagged = (page: StorePage) => withChannelTag(page, choice, channels);
  const addressed = await mapInTurns(lines, (line) => addressedLine(line, tagged));
  const usedCodes = [];
  for (const codes of batches(wantedCodes(lines, { domain, ownDomains }))) {
    usedCodes.push(...(await findUsedCodes(db, { userId, codes })));
  }
  const repairedLines = await mapInTurns(lines, (line) => {
    const repaired = repairedLine(line);
    return repaired && addressedLine(repaired, tagged);
  });
  const hasRepairs = repairedLines.some((line) => line !== null);
  const ownLinks = [];
  const allLines = [...addressed, ...repairedLines.flatMap((line) => line ?? [])];
  for (const webUrls of batches(wantedAddresses(allLines))) {
    ownLinks.push(...(await findOwnLinks(db, { userId, webUrls })));
  }
  const context = { domain, ownDomains, usedCodes, ownLinks, now: Date.now() };
  const planned = planLines(addressed, context);
  if (!hasRepairs) return planned.map((line) => ({ ...line, repaired: null }));
  const repaired = planLines(
    addressed.map((line, index) => repairedLines[index] ?? line),
    context,
  );
  return planned.map((line, index) => {
    const { url, refusal, replacement } = repaired[index] ?? line;
    return { ...line, repaired: { url, refusal, replacement } };
  });
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH) yield items.slice(i, i + BATCH);
}

/** @returns its id */
function insertImport(
  transaction: Db<"oneFirst">,
  {
    fileDomains,
    lines,
    reading,
    ...row
  }: Omit<FileToImport, "file" | "options" | "ownDomains"> & {
    format: ImportFormat;
    reading: Reading;
    fileDomains: Import["fileDomains"];
    lines: readonly PlannedLine[];
  },
): Promise<string> {
  const refused = lines.filter(({ refusal }) => refusal !== null).length;
  const replaced = lines.filter(({ replacement }) => replacement !== null).length;
  return transaction.oneFirst(sql.type(z.object({ id: z.string() }))`
    WITH ${inserted("import.created")`(
      user_id, file_name, format, domain, channel_id, uses_channel_tag, line_count, link_count,
      replaced_count, refused_count, file_domains, reading
    )
    VALUES (
      ${row.userId}, ${row.fileName}, ${row.format}, ${row.domain}, ${row.channelId}, ${row.usesChannelTag},
      ${lines.length}, ${lines.length - refused}, ${replaced}, ${refused}, ${sql.jsonb(fileDomains)},
      ${sql.jsonb({ ...reading })}
    )`}
    SELECT id FROM object
  `);
}

async function insertLines(db: Db<"query">, importId: string, lines: readonly PlannedLine[]): Promise<void> {
  const rows = lines.map((line) => ({
    ...line,
    state: line.refusal === null ? "pending" : "refused",
  }));
  await db.query(sql.type(z.object({}))`
    INSERT INTO import_lines (
      import_id, line, url, slug, domain, labels, ${ownerColumns}, unclear_expiry, state, refusal, replacement, repaired
    )
    SELECT ${importId}, line, url, slug, domain, labels, ${ownerFieldNames}, "unclearExpiry", state, refusal, replacement, repaired
    FROM jsonb_to_recordset(${sql.jsonb(rows)}) AS row (
      line integer, url text, slug text, domain text, labels text[], ${ownerFieldsWithTypes},
      "unclearExpiry" text, state text, refusal text, replacement text, repaired jsonb
    )
  `);
}

/** The ids of imports that a new one replaces: those that were not started, and the oldest above the limit. */
async function findReplacedImports(
  db: Db<"any">,
  { userId, keep }: { userId: number; keep: number },
): Promise<string[]> {
  const rows = await db.any(sql.type(z.object({ id: z.string() }))`
    SELECT id FROM imports WHERE user_id = ${userId} AND state = 'ready'
    UNION
    (
      SELECT id FROM imports WHERE user_id = ${userId} AND state <> 'running'
      ORDER BY created_at DESC OFFSET ${keep}
    )
  `);
  return rows.map(({ id }) => id);
}

const UsedCodeRow = z.object({
  code: z.string(),
  ownCode: z.nullable(z.string()),
  webUrl: z.nullable(z.string()),
});

/** Those of the codes that cannot be used, with the user's own links that they open. */
function findUsedCodes(
  db: Db<"any">,
  { userId, codes }: { userId: number; codes: readonly string[] },
): Promise<readonly UsedCode[]> {
  const wanted = sql.fragment`(SELECT unnest(${sql.array(codes, "text")}))`;
  return db.any(sql.type(UsedCodeRow)`
    SELECT used.code, own.short_code AS "ownCode", link_url(own, own.web_url) AS "webUrl"
    FROM (
      SELECT short_code AS code, id FROM links WHERE short_code IN ${wanted}
      UNION SELECT short_code, link_id FROM link_codes WHERE short_code IN ${wanted}
      UNION SELECT short_code, NULL FROM retired_codes WHERE short_code IN ${wanted}
    ) AS used LEFT JOIN links own ON own.id = used.id AND own.user_id = ${userId}
  `);
}

/** The user's links that lead to one of the addresses and have not expired. */
function findOwnLinks(
  db: Db<"any">,
  { userId, webUrls }: { userId: number; webUrls: readonly string[] },
): Promise<readonly OwnLink[]> {
  const OwnLinkRow = z.object({
    code: z.string(),
    webUrl: z.string(),
    nickname: z.nullable(z.string()),
  });
  return db.any(sql.type(OwnLinkRow)`
    SELECT short_code AS code, address AS "webUrl", nickname
    FROM unnest(${sql.array(webUrls, "text")}) AS wanted (address)
    CROSS JOIN LATERAL (${linksToAddress(userId, sql.fragment`address`)}) AS link
    ORDER BY id
  `);
}
