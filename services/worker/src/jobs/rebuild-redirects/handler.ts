import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { findRedirectRecords } from "../../links/queries.ts";
import type { Projection } from "./projection.ts";
import { findNextCodes } from "./queries.ts";

const PAGE = 5_000;
/** Pages per job: a worker that crashes loses at most this work. */
const PAGES_A_STRETCH = 10;

interface Needs {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "restoreMany">;
  projection: Projection;
  jobs: JobProducer<typeof JOBS>;
}

/**
 * Writes one batch and queues the next; starts again if Redis was emptied in the meantime. Newer records in Redis are
 * kept.
 */
export async function rebuildRedirects(
  needs: Needs,
  { afterId }: { afterId: number },
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<void> {
  const { projection } = needs;
  const goOn = (id: number) => needs.jobs.add("rebuild-redirects", { afterId: id }, { requestId });

  if (afterId === 0) await projection.beginRebuild();
  else if (!(await projection.continueRebuild())) return goOn(0);

  const nextId = await rebuildStretch(needs, afterId, signal);
  if (nextId !== null) return goOn(nextId);
  if (!(await projection.endRebuild())) throw new Error("Redis was emptied during the rebuild");
}

/** @returns the last id of the batch; null if all links are done */
async function rebuildStretch(
  { db, redirectStore }: Needs,
  afterId: number,
  signal: AbortSignal,
): Promise<number | null> {
  let lastId = afterId;
  for (let page = 0; page < PAGES_A_STRETCH; page++) {
    signal.throwIfAborted();
    const codes = await findNextCodes(db, lastId, PAGE);
    const last = codes.at(-1);
    if (last === undefined) return null;
    const records = await findRedirectRecords(
      db,
      codes.map(({ shortCode }) => shortCode),
    );
    await redirectStore.restoreMany(records);
    lastId = last.id;
  }
  return lastId;
}
