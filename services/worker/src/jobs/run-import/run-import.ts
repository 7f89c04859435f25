import { actAsJob } from "@tapthru/core/platform/audit-log";
import { pause } from "@tapthru/core/platform/waiting";
import type { App, Stoppable } from "../../app.ts";
import { importBatch } from "./import-batch.ts";
import { findDueLines } from "./queries.ts";
import { createLineResolver } from "./resolve-lines.ts";

/** A cancelled import stops after the batch in progress. */
const BATCH = 100;
/**
 * At most 1,000 links a second, so that the relay and the redirects' tails of the outbox keep up with the changes of all
 * users.
 */
const MIN_BATCH_MS = 100;
/** Resolving takes long: imports that wait for a worker are next then. */
const MAX_RUN_MS = 60_000;

type ImportApp = Pick<App, "db" | "publicBaseUrl" | "resolveShortLink" | "countImportLines">;

/**
 * Creates the links of a running import until it ends, until what is left has to be tried again later, or for a minute.
 * Continues after the last batch of an earlier run.
 */
export function runImport(app: ImportApp, { importId }: { importId: string }, { signal }: Stoppable): Promise<void> {
  return actAsJob("run-import", () => importLines(app, importId, signal));
}

async function importLines(
  { db, publicBaseUrl, resolveShortLink, countImportLines }: ImportApp,
  importId: string,
  signal: AbortSignal,
): Promise<void> {
  const findDestinations = createLineResolver(resolveShortLink);
  const end = performance.now() + MAX_RUN_MS;
  while (performance.now() < end) {
    const started = performance.now();
    signal.throwIfAborted();
    // Resolved before the transaction, which must not wait for Amazon.
    const destinations = await findDestinations(await findDueLines(db, importId, BATCH));
    const results = await importBatch(db, { importId, limit: BATCH, publicBaseUrl, destinations });
    if (results === null) return;
    countImportLines(results);
    await pause(MIN_BATCH_MS - (performance.now() - started), signal);
  }
}
