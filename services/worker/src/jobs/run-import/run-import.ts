import { pause } from "@tapthru/core/platform/waiting";
import type { CommonQueryMethods } from "slonik";
import { importBatch } from "./import-batch.ts";
import type { ImportMetrics } from "./import-metrics.ts";
import { createLookUps, type ResolveShortLink } from "./look-ups.ts";
import { findDueLines } from "./queries.ts";

/** A cancelled import stops after the batch in progress. */
const BATCH = 100;
/**
 * At most 1,000 links a second, so that the relay and the redirects' tails of the outbox keep up with the changes of all
 * users.
 */
const MIN_BATCH_MS = 100;
/** Look-ups take long: imports that wait for a worker are next then. */
const MAX_RUN_MS = 60_000;

export interface RunImportDependencies {
  db: Pick<CommonQueryMethods, "any" | "transaction">;
  publicBaseUrl: string;
  resolveShortLink: ResolveShortLink;
  importMetrics: Pick<ImportMetrics, "countLines">;
}

/**
 * Creates the links of a running import until it ends, until what is left has to be tried again later, or for a minute.
 * Continues after the last batch of an earlier run.
 */
export async function runImport(
  { db, publicBaseUrl, resolveShortLink, importMetrics }: RunImportDependencies,
  { importId }: { importId: string },
  signal: AbortSignal,
): Promise<void> {
  const findDestinations = createLookUps(resolveShortLink);
  const end = performance.now() + MAX_RUN_MS;
  while (performance.now() < end) {
    const started = performance.now();
    signal.throwIfAborted();
    // Looked up before the transaction, which must not wait for Amazon.
    const destinations = await findDestinations(await findDueLines(db, importId, BATCH));
    const results = await importBatch(db, { importId, limit: BATCH, publicBaseUrl, destinations });
    if (results === null) return;
    importMetrics.countLines(results);
    await pause(MIN_BATCH_MS - (performance.now() - started), signal);
  }
}
