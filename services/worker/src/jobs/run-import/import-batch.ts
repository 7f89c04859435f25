import {
  type ChannelTags,
  findChannelTags,
  newLinkAddresses,
  withChannelTag,
} from "@tapthru/core/links/channel-tags";
import { ID_AND_CODE, type InsertedLink, insertLinks } from "@tapthru/core/links/insert-links";
import type { Refusal } from "@tapthru/proto/http/imports";
import { ownerFieldsOf } from "@tapthru/proto/http/owner-fields";
import { shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { isReservedName } from "@tapthru/proto/rules/slug";
import type { CommonQueryMethods } from "slonik";
import { type Destination, type Destinations, retryDelayMs } from "./look-ups.ts";
import {
  addLabels,
  findDueLines,
  findExisting,
  finishImport,
  hasPendingLines,
  type LineResult,
  lockRunningImport,
  type PendingLine,
  type PostponedLine,
  postponeLines,
  type RunningImport,
  storeResults,
  type WantedLine,
} from "./queries.ts";

type Transaction = Pick<
  CommonQueryMethods,
  "any" | "maybeOne" | "oneFirst" | "query" | "transaction"
>;

interface Batch {
  importId: string;
  limit: number;
  publicBaseUrl: string;
  /** Lines without one are left to the next batch. */
  destinations: Readonly<Destinations>;
}

/**
 * Creates the links of the next lines and stores their results, in one transaction: a line is pending until its link is
 * committed, and the lock on the import lets one transaction at a time create links for it. Without pending lines the import is
 * finished.
 * @returns the results; null if the import has ended, or all that is left waits to be tried again
 */
export function importBatch(
  db: Pick<CommonQueryMethods, "transaction">,
  batch: Batch,
): Promise<LineResult[] | null> {
  const { importId, limit, destinations } = batch;
  return db.transaction(async (transaction) => {
    const running = await lockRunningImport(transaction, importId);
    if (running === null) return null;
    const channels = await findChannelTags(transaction, running.userId);
    const importWithChannels = { ...running, importId, channels };
    const due = await findDueLines(transaction, importId, limit);
    if (due.length === 0) {
      if (!(await hasPendingLines(transaction, importId)))
        await finishImport(transaction, importId);
      return null;
    }
    const { lines, postponed } = divideLines(due, destinations);
    await postponeLines(transaction, importId, postponed);
    const existing = await findExistingLinks(transaction, importWithChannels, lines);
    const results = await createLinks(
      transaction,
      importWithChannels,
      lines.map((line) => {
        const refusal = existing.get(line.line);
        return refusal === undefined ? line : { ...line, destination: { refusal } };
      }),
      batch,
    );
    await storeResults(transaction, importId, results);
    return results;
  });
}

/** The lines that get a result now, and those that wait because Amazon did not respond. */
function divideLines(
  due: readonly PendingLine[],
  destinations: Batch["destinations"],
): { lines: LineWithDestination[]; postponed: PostponedLine[] } {
  const lines: LineWithDestination[] = [];
  const postponed: PostponedLine[] = [];
  for (const line of due) {
    const destination = destinations.get(line.line);
    if (destination === undefined) continue;
    if (typeof destination === "object") {
      lines.push({ ...line, destination });
      continue;
    }
    const delayMs = retryDelayMs(line.attempts + 1, destination);
    if (delayMs === null) lines.push({ ...line, destination: { refusal: "short-link-failed" } });
    else postponed.push({ line: line.line, delayMs });
  }
  return { lines, postponed };
}

/**
 * Why lines create no link after all: the preview did not know the addresses of short links, nor the links that the user got
 * between it and the start.
 */
async function findExistingLinks(
  transaction: Transaction,
  { userId, importId, domain: domainOfAll, channels, ...choice }: ImportWithChannels,
  lines: readonly LineWithDestination[],
): Promise<Map<number, Refusal>> {
  const refusals = new Map<number, Refusal>();
  const links = new Set<string>();
  const wanted: WantedLine[] = [];
  for (const { line, url, wantedCode: name, slug, nickname, destination, ...rest } of lines) {
    const domain = rest.domain ?? domainOfAll;
    if ("refusal" in destination) continue;
    const { webUrl } = withChannelTag(destination, choice, channels).page;
    const wantedCode = name && shortCodeOf(name, domain);
    const isResolved = destination.originalUrl !== url;
    wanted.push({ line, webUrl, isResolved, wantedCode, slug, nickname });
    if (!isResolved) continue;
    const link = JSON.stringify([webUrl, slug, slug === null ? nickname : domain]);
    if (links.has(link)) refusals.set(line, "repeated-line");
    links.add(link);
  }
  for (const line of await findExisting(transaction, { userId, importId }, wanted)) {
    refusals.set(line, "already-yours");
  }
  return refusals;
}

interface ImportWithChannels extends RunningImport {
  importId: string;
  channels: ChannelTags;
}

interface LineWithDestination extends PendingLine {
  destination: Exclude<Destination, string>;
}

async function createLinks(
  transaction: Transaction,
  { userId, domain: domainOfAll, channels, ...choice }: ImportWithChannels,
  lines: readonly LineWithDestination[],
  { publicBaseUrl }: Batch,
): Promise<LineResult[]> {
  const links = lines.flatMap(({ destination, ...line }) => {
    if ("refusal" in destination) return [];
    const { expiresAt } = line;
    const domain = line.domain ?? domainOfAll;
    // Of an import to a domain that the user cannot use any more.
    const isReserved = line.slug !== null && isReservedName(line.slug, domain);
    return {
      line: line.line,
      link: {
        ...newLinkAddresses(publicBaseUrl, destination, choice, channels),
        slug: isReserved ? null : line.slug,
        domain,
        ...ownerFieldsOf(line),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      },
    };
  });
  const insert = async (part: typeof links) => {
    const inserted = await insertLinks(
      transaction,
      { userId },
      part.map(({ link }) => link),
      ID_AND_CODE,
    );
    return part.map((entry, index) => ({ ...entry, inserted: inserted[index] }));
  };

  const first = await insert(links);
  const taken = first.filter(({ inserted }) => inserted === "slug-taken");
  const second = await insert(
    taken.map(({ line, link }) => ({ line, link: { ...link, slug: null } })),
  );
  const created = new Map<number, InsertedLink>();
  for (const { line, inserted } of [...first, ...second]) {
    if (inserted !== undefined && inserted !== "slug-taken") created.set(line, inserted);
  }
  const labelled = lines.flatMap(({ line, labels }) => {
    const link = created.get(line);
    return link === undefined ? [] : [{ linkId: link.id, names: labels }];
  });
  await addLabels(transaction, userId, labelled);
  const takenLines = new Set(taken.map(({ line }) => line));
  return lines.map(({ line, destination }): LineResult => {
    const refusal = "refusal" in destination ? destination.refusal : null;
    const replacement = takenLines.has(line) ? "slug-taken" : null;
    return { line, refusal, replacement, shortCode: created.get(line)?.shortCode ?? null };
  });
}
