import { hash } from "node:crypto";
import { type InsertedLink, insertLinks } from "@tapthru/runtime/links/insert-links";
import { linkAddresses } from "@tapthru/runtime/links/link-addresses";
import type { CommonQueryMethods } from "slonik";
import type { Destination } from "./find-destination.ts";
import { finishImport } from "./finish-import.ts";
import {
  addLabels,
  findPendingLines,
  type LineResult,
  lockRunningImport,
  type PendingLine,
  storeResults,
} from "./queries.ts";

type Transaction = Pick<CommonQueryMethods, "any" | "maybeOneFirst" | "query">;

interface Batch {
  importId: string;
  limit: number;
  publicBaseUrl: string;
  /** By the number of the line. Lines without one are left to the next batch. */
  destinations: ReadonlyMap<number, Destination>;
}

/**
 * Creates the links of the next lines and stores their results, in one transaction: a line is pending until its link is
 * committed, and the lock on the import lets one transaction at a time create links for it. Without pending lines the import is
 * finished.
 * @returns the results; null if the import has ended
 */
export function importBatch(
  db: Pick<CommonQueryMethods, "transaction">,
  batch: Batch,
): Promise<LineResult[] | null> {
  const { importId, limit, destinations } = batch;
  return db.transaction(async (transaction) => {
    const userId = await lockRunningImport(transaction, importId);
    if (userId === null) return null;
    const pending = await findPendingLines(transaction, importId, limit);
    if (pending.length === 0) {
      await finishImport(transaction, importId);
      return null;
    }
    const lines = pending.filter(({ line }) => destinations.has(line));
    const results = await createLinks(transaction, userId, lines, batch);
    await storeResults(transaction, importId, results);
    return results;
  });
}

async function createLinks(
  transaction: Transaction,
  userId: number,
  lines: readonly PendingLine[],
  { destinations, publicBaseUrl }: Batch,
): Promise<LineResult[]> {
  const owner = { userId, visitorKey: hash("sha256", `user:${userId}`, "buffer") };
  const links = lines.flatMap(({ line, slug, title, nickname, expiresAt }) => {
    const destination = destinations.get(line);
    if (destination === undefined || "refusal" in destination) return [];
    return {
      line,
      link: {
        ...linkAddresses(publicBaseUrl, destination.originalUrl, destination.page),
        slug,
        title,
        nickname,
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        idempotencyKey: null,
      },
    };
  });
  const insert = async (part: typeof links) => {
    const inserted = await insertLinks(
      transaction,
      owner,
      part.map(({ link }) => link),
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
  return lines.map(({ line }): LineResult => {
    const destination = destinations.get(line);
    const refusal = destination && "refusal" in destination ? destination.refusal : null;
    const replacement = takenLines.has(line) ? "slug-taken" : null;
    return { line, refusal, replacement, shortCode: created.get(line)?.shortCode ?? null };
  });
}
