import type { JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobProducer } from "@tapthru/runtime/jobs/producer";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { CommonQueryMethods } from "slonik";
import { deleteImport, findOldImports, findRunningImports } from "./queries.ts";

/** Later sweeps delete the rest. */
const MAX_DELETED = 100;

interface Dependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  jobs: JobProducer<typeof JOBS>;
}

/** Idempotent: a queued job is not added again. */
export async function sweepImports({ db, jobs }: Dependencies, signal: AbortSignal): Promise<void> {
  for (const { id } of await findRunningImports(db)) {
    if (signal.aborted) return;
    await bestEffort(jobs.add("run-import", { importId: id }, { requestId: null }));
  }
  for (const { id } of await findOldImports(db, MAX_DELETED)) {
    if (signal.aborted) return;
    await deleteImport(db, id);
  }
}
