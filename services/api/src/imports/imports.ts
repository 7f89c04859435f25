import { setImmediate as nextTurn } from "node:timers/promises";
import { findChannelTags, NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { Import, ImportLine } from "@tapthru/proto/http/imports";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { IMPORTS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../errors.ts";
import { createMissingLabels } from "../labels/labels.ts";
import {
  findLabelNames,
  findLines,
  findOwnLinks,
  findUsedCodes,
  insertLines,
  type LineRow,
  type LinesPage,
  takeRepairs,
} from "./line-queries.ts";
import {
  type LinkDomains,
  type PlannedLine,
  planLines,
  repairedLine,
  wantedAddresses,
  wantedCodes,
} from "./plan-lines.ts";
import {
  cancelRunningImport,
  countLines,
  deleteEndedImport,
  findImport,
  findReplacedImports,
  type ImportRef,
  type ImportRow,
  insertImport,
  lockReadyImport,
  restartFinishedImport,
  startReadyImport,
} from "./queries.ts";
import { type FileLine, readLines } from "./read-lines.ts";

export type ImportsDb = Db<"any" | "maybeOne" | "query" | "transaction">;

type Transaction = Parameters<Parameters<ImportsDb["transaction"]>[0]>[0];

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
}

/** Reads a file, decides what each line will become, and stores that. Creates no link. */
export async function prepareImport(
  db: ImportsDb,
  { file, ...request }: FileToImport,
): Promise<ImportRow> {
  const { userId } = request;
  const { format, lines } = await readLines(file);
  const planned = await plan(db, request, lines);
  for (const id of await findReplacedImports(db, { userId, keep: IMPORTS_MAX_COUNT - 1 })) {
    await deleteEndedImport(db, id);
  }
  return db.transaction(async (transaction) => {
    const fileDomains = fileDomainsOf(lines, request);
    const newImport = { ...request, format, fileDomains, lines: planned };
    const row = await insertImport(transaction, newImport);
    for (const batch of batches(planned)) await insertLines(transaction, row.id, batch);
    return getImport(transaction, { userId, id: row.id });
  });
}

function fileDomainsOf(lines: readonly FileLine[], { ownDomains }: LinkDomains) {
  const hosts = new Set(lines.flatMap(({ slug, domain }) => (slug && domain) || []));
  return [...hosts]
    .map((host) => ({ host, isOwn: ownDomains.includes(host) }))
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
    .slice(0, FILE_DOMAINS_MAX_COUNT);
}

/** Decides what lines will become, with what the user and others have now. */
async function plan(
  db: Pick<ImportsDb, "any">,
  { userId, domain, ownDomains, ...choice }: Omit<FileToImport, "file" | "fileName">,
  lines: readonly FileLine[],
): Promise<PlannedLine[]> {
  const channels = choice.usesChannelTag ? await findChannelTags(db, userId) : NO_CHANNELS;
  const tagged = (page: StorePage) => {
    return withChannelTag({ originalUrl: page.webUrl, page }, choice, channels).page;
  };
  const usedCodes = [];
  for (const codes of batches(wantedCodes(lines, { domain, ownDomains }))) {
    usedCodes.push(...(await findUsedCodes(db, { userId, codes })));
  }
  await nextTurn();
  const repairedLines = lines.map(repairedLine);
  const hasRepairs = repairedLines.some((line) => line !== null);
  await nextTurn();
  const ownLinks = [];
  const allLines = [...lines, ...repairedLines.flatMap((line) => line ?? [])];
  for (const webUrls of batches(wantedAddresses(allLines, tagged))) {
    ownLinks.push(...(await findOwnLinks(db, { userId, webUrls })));
  }
  await nextTurn();
  const context = { domain, ownDomains, tagged, usedCodes, ownLinks, now: Date.now() };
  const planned = planLines(lines, context);
  if (!hasRepairs) return planned.map((line) => ({ ...line, repaired: null }));
  await nextTurn();
  const repaired = planLines(
    lines.map((line, index) => repairedLines[index] ?? line),
    context,
  );
  return planned.map((line, index) => {
    const { url, refusal, replacement } = repaired[index] ?? line;
    return { ...line, repaired: { url, refusal, replacement } };
  });
}

export async function getImport(
  db: Pick<ImportsDb, "maybeOne">,
  ref: ImportRef,
): Promise<ImportRow> {
  const row = await findImport(db, ref);
  if (row === null) throw importNotFound();
  return row;
}

/** One page of lines, and `after` of the next page; null on the last page. */
export async function listLines(
  db: Pick<ImportsDb, "any">,
  importId: string,
  page: LinesPage,
): Promise<{ lines: readonly LineRow[]; nextAfter: number | null }> {
  const rows = await findLines(db, importId, { ...page, limit: page.limit + 1 });
  const lines = rows.slice(0, page.limit);
  return { lines, nextAfter: rows.length > page.limit ? (lines.at(-1)?.line ?? null) : null };
}

/**
 * Lets the worker create the links, except those that the user got since the preview, and creates the labels that they get. A
 * finished import starts again for the lines that can be tried again. An import that is running is returned as it is.
 */
export async function startImport(db: ImportsDb, ref: ImportRef): Promise<ImportRow> {
  try {
    const isStarted = await db.transaction((transaction) => startReady(transaction, ref));
    if (!isStarted) await restartFinishedImport(db, ref);
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw new ApiError("import-running", { cause: error });
  }
  const row = await getImport(db, ref);
  if (row.state === "running") return row;
  throw new ApiError("import-started");
}

/** Takes the repaired addresses of all lines, if the import was not started. */
export function repairImport(db: ImportsDb, ref: ImportRef): Promise<ImportRow> {
  return db.transaction(async (transaction) => {
    await getImport(transaction, ref);
    if (!(await lockReadyImport(transaction, ref.id))) throw new ApiError("import-started");
    await takeRepairs(transaction, ref.id);
    await countLines(transaction, ref.id);
    return getImport(transaction, ref);
  });
}

async function startReady(transaction: Transaction, { userId, id }: ImportRef): Promise<boolean> {
  if (!(await startReadyImport(transaction, { userId, id }))) return false;
  const names = await findLabelNames(transaction, id);
  if (names.length > 0) await createMissingLabels(transaction, { userId, names });
  return true;
}

/** Cancels a running import. One that has ended in the meantime is returned as it is. */
export async function cancelImport(
  db: Pick<ImportsDb, "maybeOne">,
  ref: ImportRef,
): Promise<ImportRow> {
  const cancelled = await cancelRunningImport(db, ref);
  if (cancelled !== null) return cancelled;
  const row = await getImport(db, ref);
  if (row.state === "ready") throw new ApiError("import-not-started");
  return row;
}

export async function deleteImport(
  db: Pick<ImportsDb, "maybeOne" | "query">,
  ref: ImportRef,
): Promise<void> {
  const { id } = await getImport(db, ref);
  if (!(await deleteEndedImport(db, id))) throw new ApiError("import-not-ended");
}

/** Also for imports of other users, so that their existence is not revealed. */
function importNotFound(): ApiError {
  return new ApiError("import-not-found");
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH) yield items.slice(i, i + BATCH);
}

export function importReply({
  lines,
  links,
  replaced,
  refused,
  created,
  retryable,
  lost,
  repairable,
  ...row
}: ImportRow): Import {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    counts: { lines, links, replaced, refused, created, retryable, lost, repairable },
  };
}

export function lineReply(
  { shortCode, expiresAt, ...line }: LineRow,
  publicBaseUrl: string,
): ImportLine {
  return {
    ...line,
    expiresAt: isoOrNull(expiresAt),
    shortUrl: shortCode === null ? null : shortUrl(publicBaseUrl, shortCode),
  };
}
