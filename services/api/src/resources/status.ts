import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/app-opening-status";
import { OPENED_OUTCOMES, OUTCOMES } from "@tapthru/proto/redirect/outcome";
import { APP_OPENING_MIN_REPORTS, APP_OPENING_STATUS_DAYS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import type { ApiRouter } from "../callers/handlers.ts";
import { handlers } from "../callers/handlers.ts";

const CACHED_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export function statusHandlers(router: ApiRouter, api: Api) {
  const getAppOpeningStatus = cached(CACHED_MS, () => readStatus(api.db));
  handlers(calls, { getAppOpeningStatus })(router, api);
}

const ReportedRow = z.object({
  row: z.string(),
  app: z.string(),
  os: z.enum(["ios", "android"]),
  tried: z.int(),
  opened: z.int(),
});

const sumOf = (outcomes: readonly string[]) =>
  sql.join(
    outcomes.map((outcome) => sql.identifier([outcome])),
    sql.fragment` + `,
  );

/** The rows with enough reports, most reports first. */
async function readStatus(db: Db<"any">) {
  const firstDay = Date.now() - (APP_OPENING_STATUS_DAYS - 1) * DAY_MS;
  const since = new Date(firstDay).toISOString().slice(0, 10);
  const rows = await db.any(sql.type(ReportedRow)`
    SELECT row_id AS "row", app, os, sum(${sumOf(OUTCOMES)})::int8 AS tried,
      sum(${sumOf(OPENED_OUTCOMES)})::int8 AS opened
    FROM app_openings WHERE day >= ${since}::text::date
    GROUP BY row_id, app, os
    HAVING sum(${sumOf(OUTCOMES)}) >= ${APP_OPENING_MIN_REPORTS}
    ORDER BY tried DESC, row_id
  `);
  return { since, rows: [...rows] };
}

/** Calls `read` at most once in `lifetimeMs`, and again after a failure. Callers in between share the result. */
export function cached<T>(
  lifetimeMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let result: Promise<T> | null = null;
  let expiresAt = 0;

  return () => {
    if (result !== null && now() < expiresAt) return result;
    const current = read();
    result = current;
    expiresAt = now() + lifetimeMs;
    current.catch(() => {
      if (result === current) result = null;
    });
    return current;
  };
}
