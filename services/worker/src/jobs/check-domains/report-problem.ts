import { delivered } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

export async function reportProblem(
  db: Db<"query">,
  id: number,
  { problem, since, offAt }: { problem: DomainProblem; since: number; offAt: number },
): Promise<void> {
  const times = { since: sql.timestamp(new Date(since)), offAt: sql.timestamp(new Date(offAt)) };
  await db.query(sql.type(z.object({}))`WITH ${reported(problem, sql.fragment`id = ${id}`, times)} SELECT`);
}

/** CTEs by which webhooks receive a problem once, and an email is due. @param offAt when the domain stops working */
export const reported = (
  problem: DomainProblem,
  which: FragmentSqlToken,
  { since, offAt }: Record<"since" | "offAt", FragmentSqlToken | ReturnType<typeof sql.timestamp>>,
): FragmentSqlToken => sql.fragment`reported AS (
    UPDATE domains SET reported_at = now(), notice_due = true WHERE ${which} AND reported_at IS NULL
    RETURNING user_id, host
  ), ${delivered(
    "domain.failing",
    sql.fragment`SELECT user_id AS owner_id, NULL::bigint AS link_id, jsonb_build_object('host', host,
        'problem', ${problem}::text, 'since', utc_text(${since}), 'offAt', utc_text(${offAt})) AS data FROM reported`,
  )}`;
