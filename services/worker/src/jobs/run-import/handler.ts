import { pause } from "@tapthru/runtime/pause";
import pLimit from "p-limit";
import type { CommonQueryMethods } from "slonik";
import { type Destination, findDestination, type ResolveShortLink } from "./find-destination.ts";
import { importBatch } from "./import-batch.ts";
import type { ImportMetrics } from "./import-metrics.ts";
import { findPendingLines } from "./queries.ts";

/** A cancelled import stops after the batch in progress. */
const BATCH = 100;
/**
 * At most 1,000 links a second, so that the relay and the redirects' tails of the outbox keep up with the changes of all
 * users.
 */
const MIN_BATCH_MS = 100;
/** Short links of Amazon that one import looks up at once. */
const LOOKUPS_AT_ONCE = 4;

export interface RunImportDependencies {
  db: Pick<CommonQueryMethods, "any" | "transaction">;
  publicBaseUrl: string;
  resolveShortLink: ResolveShortLink;
  importMetrics: Pick<ImportMetrics, "countLines">;
}

/** Creates the links of a running import until it ends. Continues after the last batch of an interrupted run. */
export async function runImport(
  deps: RunImportDependencies,
  { importId }: { importId: string },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const started = performance.now();
    signal.throwIfAborted();
    const destinations = await findDestinations(deps, importId);
    const results = await importBatch(deps.db, {
      importId,
      limit: BATCH,
      publicBaseUrl: deps.publicBaseUrl,
      destinations,
    });
    if (results === null) return;
    deps.importMetrics.countLines(results);
    await pause(MIN_BATCH_MS - (performance.now() - started), signal);
  }
}

/** Looked up before the transaction, which must not wait for Amazon. */
async function findDestinations(
  { db, resolveShortLink }: RunImportDependencies,
  importId: string,
): Promise<Map<number, Destination>> {
  const lines = await findPendingLines(db, importId, BATCH);
  const limit = pLimit(LOOKUPS_AT_ONCE);
  const found = await Promise.all(
    lines.map(async (line) => {
      const destination = await limit(() => findDestination(resolveShortLink, line));
      return [line.line, destination] as const;
    }),
  );
  return new Map(found);
}
