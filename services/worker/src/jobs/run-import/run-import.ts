import { actAsJob } from "@tapthru/core/platform/actor";
import { attemptItem, isUnavailable } from "@tapthru/core/platform/failed-items";
import { pause } from "@tapthru/core/platform/waiting";
import type { App, Stoppable } from "../../app.ts";
import { importBatch, postponeFailed } from "./import-batch.ts";
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

type ImportApp = Pick<App, "db" | "logger" | "publicBaseUrl" | "resolveShortLink">;

/**
 * Creates the links of a running import until it ends, until what is left has to be tried again later, or for a minute.
 * Continues after the last batch of an earlier run.
 */
export function runImport(app: ImportApp, { importId }: { importId: string }, { signal }: Stoppable): Promise<void> {
  return actAsJob("run-import", () => importLines(app, importId, signal));
}

async function importLines(
  { db, logger, publicBaseUrl, resolveShortLink }: ImportApp,
  importId: string,
  signal: AbortSignal,
): Promise<void> {
  const findDestinations = createLineResolver(resolveShortLink);
  const end = performance.now() + MAX_RUN_MS;
  /** Lines of a failed batch, which are imported one by one. */
  let singleLines = 0;
  while (performance.now() < end) {
    const started = performance.now();
    signal.throwIfAborted();
    const limit = singleLines > 0 ? 1 : BATCH;
    const due = await findDueLines(db, importId, limit);
    // Resolved before the transaction, which must not wait for Amazon.
    const destinations = await findDestinations(due);
    const attempt = () => importBatch(db, { importId, limit, publicBaseUrl, destinations });
    const [line] = due;
    if (limit === 1 && line !== undefined) {
      const loop = { db, logger, kind: "import-lines", signal };
      const done = await attemptItem(loop, `${importId} ${line.line}`, attempt);
      if (done === null) await postponeFailed(db, importId, line);
      singleLines--;
    } else {
      const outcome = await attempt().catch((error) => {
        if (signal.aborted || isUnavailable(error) || line === undefined) throw error;
        return "failed";
      });
      if (outcome === "ended") return;
      if (outcome === "failed") singleLines = due.length;
    }
    await pause(MIN_BATCH_MS - (performance.now() - started), signal);
  }
}
