import { type ItemLoop, isNotQuarantined, processAllOrEach, processEach } from "@tapthru/core/platform/failed-items";
import { pause } from "@tapthru/core/platform/waiting";
import type { FragmentSqlToken } from "slonik";

interface Kind<App, Row> {
  /** How often BullMQ starts a round; one at a time over all workers, or of each with `atOnce`. */
  everyMs: number;
  /** Rows of a claim. The round continues as long as so many are found; by default it claims once. */
  limit?: number;
  /** In place of `limit`: each worker works on so many rows at once, and claims the next when one ends. Needs leases. */
  atOnce?: number;
  /**
   * Finds rows that are due. For work outside of Postgres it takes a short lease, and their next due date is stored with the result:
   * what a killed worker claimed is repeated.
   */
  claim(app: App, due: Due): Promise<readonly Row[]>;
  keyOf(row: Row): string | number;
}

interface ByRow<App, Row> extends Kind<App, Row> {
  /** May be repeated. A row for which it throws is quarantined, and the others continue. @returns false to end the round */
  work(app: App, row: Row, due: Due): Promise<unknown>;
}

interface Together<App, Row> extends Kind<App, Row> {
  /** Works on all rows, or on those with the same key if that failed. May be repeated. */
  workOnAll(app: App, rows: readonly Row[], due: Due): Promise<unknown>;
}

export type DueKind<App, Row> = ByRow<App, Row> | Together<App, Row>;

export interface Due {
  kind: string;
  limit: number;
  /** Aborted when the worker stops: no further step begins. */
  signal: AbortSignal;
  /** Aborted some seconds later: what is in progress ends without a result. */
  deadline: AbortSignal;
  /** A condition of claims: rows that failed do not take the places of others. */
  isNotQuarantined(key: FragmentSqlToken): FragmentSqlToken;
}

type DueApp = Pick<ItemLoop, "db" | "logger">;

/** How long work in progress may take after the worker was stopped. */
const STOP_MS = 4_000;

/**
 * A round: works on the rows of a kind until no more are due.
 * @throws if a claim fails, or a store is unavailable: that is no failure of a row
 */
export async function workOff<App extends DueApp, Row>(
  app: App,
  name: string,
  kind: DueKind<App, Row>,
  signal: AbortSignal,
): Promise<void> {
  const { everyMs, keyOf, limit = Number.POSITIVE_INFINITY } = kind;
  const deadline = new AbortController();
  const due: Due = {
    kind: name,
    limit,
    signal,
    deadline: deadline.signal,
    isNotQuarantined: (key) => isNotQuarantined(name, key),
  };
  const loop = { db: app.db, logger: app.logger, kind: name, signal };

  function workOn(rows: readonly Row[]): Promise<void> {
    if ("work" in kind) return processEach(loop, rows, keyOf, (row) => kind.work(app, row, due));
    const workOnGroups = (groups: readonly [unknown, Row[]][]) =>
      kind.workOnAll(
        app,
        groups.flatMap(([, some]) => some),
        due,
      );
    return processAllOrEach(loop, [...Map.groupBy(rows, keyOf)], ([key]) => key, workOnGroups);
  }

  async function workInTurn(): Promise<void> {
    for (let found = limit; found === limit && !signal.aborted; ) {
      const rows = await kind.claim(app, due);
      await workOn(rows);
      found = rows.length;
    }
  }

  async function workAtOnce(places: number): Promise<void> {
    const working = new Set<Promise<void>>();
    const errors: unknown[] = [];
    try {
      while (!signal.aborted && errors.length === 0) {
        const rows = working.size === places ? [] : await kind.claim(app, { ...due, limit: places - working.size });
        for (const row of rows) {
          const attempt = workOn([row])
            .catch((error) => void errors.push(error))
            .finally(() => working.delete(attempt));
          working.add(attempt);
        }
        if (working.size === 0) break;
        if (rows.length === 0) await Promise.race([pause(everyMs, signal), ...working]);
      }
    } finally {
      await Promise.all(working);
    }
    if (errors.length > 0) throw errors[0];
  }

  const stop = () => void setTimeout(() => deadline.abort(), STOP_MS).unref();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await (kind.atOnce === undefined ? workInTurn() : workAtOnce(kind.atOnce));
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export const dueKind = <App extends DueApp, Row>(kind: DueKind<App, Row>): DueKind<App, Row> => kind;
