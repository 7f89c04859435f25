import type { Logger } from "@tapthru/runtime/logger";
import { changesQuery, EMPTY_SNAPSHOT, readChanges } from "@tapthru/runtime/outbox";
import { findPrimaryPosition } from "@tapthru/runtime/postgres/wal-position";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { PROJECTED_CHANGE_LIFETIME_MS } from "../jobs/purge-old-rows.ts";
import { projectRecords } from "../links/queries.ts";
import type { Position, PositionStore } from "./position.ts";

export interface RegionRelayDependencies {
  /** The primary. */
  db: CommonQueryMethods;
  /** That of the region, like the position. */
  redirectStore: Pick<RedirectStore, "putMany" | "deleteMany" | "markUpToDate">;
  position: PositionStore;
  /** The codes of all records in the region's Redis. */
  storedCodes(): AsyncIterable<readonly string[]>;
  logger: Logger;
}

/** Rows per page. */
const PAGE = 1_000;

/** The outbox may lack rows after an older position. */
const MAX_POSITION_AGE_MS = PROJECTED_CHANGE_LIFETIME_MS - 5 * 60_000;

/**
 * Writes what changed since the stored position to the region's Redis, and stores the new position. It writes the current
 * state of the links, and Redis keeps the newest revisions, so rounds may be repeated and may overlap those of another
 * relay. If the outbox may lack rows, all records in Redis are compared with Postgres.
 */
export async function relayRound(
  deps: RegionRelayDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { position, redirectStore } = deps;
  const [known, primary] = [await position.read(), await findPrimaryPosition(deps.db)];
  const reached = await relayChanges(deps, known?.snapshot ?? EMPTY_SNAPSHOT);
  const mayLackRows = known === null || reached.readAt - known.readAt > MAX_POSITION_AGE_MS;
  await position.write(mayLackRows ? await compareRecords(deps, reached, signal) : reached);
  await redirectStore.markUpToDate(primary);
}

/** @returns the position up to which changes were relayed during the comparison */
async function compareRecords(
  deps: RegionRelayDependencies,
  reached: Position,
  signal: AbortSignal,
): Promise<Position> {
  const { logger } = deps;
  let position = reached;
  let records = 0;
  logger.warn({ event: "region_comparison_started" }, "comparing all records with Postgres");
  for await (const codes of deps.storedCodes()) {
    signal.throwIfAborted();
    await project(deps, codes);
    records += codes.length;
    position = await relayChanges(deps, position.snapshot);
  }
  logger.info({ event: "region_comparison_ended", records }, "all records are as in Postgres");
  return position;
}

async function relayChanges(
  deps: RegionRelayDependencies,
  knownSnapshot: string,
): Promise<Position> {
  let readAt = Number.POSITIVE_INFINITY;
  const snapshot = await readChanges(knownSnapshot, async (after) => {
    const query = changesQuery({ knownSnapshot, after, includeCreated: true, limit: PAGE });
    const page = await deps.db.one(query);
    readAt = Math.min(readAt, page.now);
    await project(
      deps,
      page.changes.map(([shortCode]) => shortCode),
    );
    return page;
  });
  return { snapshot, readAt };
}

async function project(
  deps: RegionRelayDependencies,
  shortCodes: readonly string[],
): Promise<void> {
  if (shortCodes.length === 0) return;
  await projectRecords(deps, [...new Set(shortCodes)], deps.redirectStore.putMany);
}
