import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** The clicks of a link on a day or in a month, in UTC. */
const ClickRow = z.object({
  linkId: z.int(),
  /** The first day. */
  start: z.string(),
  counts: PackedCounts,
  /** The sketch of a day. */
  sketch: z.nullable(bytes),
  /** The estimates of the days of a month, from "1". */
  estimates: z.nullable(z.record(z.string(), z.int())),
});
export type ClickRow = z.infer<typeof ClickRow>;

const OwnLink = z.object({ id: z.int(), shortCode: z.string() });
export type OwnLink = z.infer<typeof OwnLink>;

type Db = Pick<CommonQueryMethods, "any" | "maybeOne" | "oneFirst">;

/** BETWEEN makes Postgres use the index on `user_id`, as in `links/own-queries.ts`. */
export function findOwnLinks(db: Pick<Db, "any">, userId: number): Promise<readonly OwnLink[]> {
  return db.any(sql.type(OwnLink)`
    SELECT id, short_code AS "shortCode" FROM links WHERE user_id BETWEEN ${userId} AND ${userId}
  `);
}

export function findOwnLinkId(
  db: Pick<Db, "maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<OwnLink | null> {
  return db.maybeOne(sql.type(OwnLink)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE short_code = ${shortCode} AND user_id = ${userId}
  `);
}

export interface ClickRowsQuery {
  linkIds: readonly number[];
  /** Unix milliseconds. */
  from: number;
  to: number;
  /** The keys that are read; null: all. */
  keys: readonly string[] | null;
}

export function clickRowsQuery({ linkIds, from, to, keys }: ClickRowsQuery) {
  const counts =
    keys === null
      ? sql.fragment`counts`
      : sql.fragment`jsonb_strip_nulls(jsonb_build_object(${sql.join(
          keys.map((key) => sql.fragment`${key}::text, counts -> ${key}::text`),
          sql.fragment`, `,
        )})) AS counts`;
  const ids = sql.array(linkIds, "int8");
  const first = sql.fragment`(to_timestamp(${from / 1_000}) AT TIME ZONE 'UTC')::date`;
  const last = sql.fragment`(to_timestamp(${(to - 1) / 1_000}) AT TIME ZONE 'UTC')::date`;
  return sql.type(ClickRow)`
    SELECT link_id AS "linkId", day::text AS start, ${counts}, visitors AS sketch, NULL AS estimates
    FROM clicks WHERE link_id = ANY(${ids}) AND day BETWEEN ${first} AND ${last}
    UNION ALL
    SELECT link_id, month::text, ${counts}, NULL, visitors
    FROM monthly_clicks
    WHERE link_id = ANY(${ids}) AND month BETWEEN date_trunc('month', ${first})::date AND ${last}
  `;
}

/** Unix milliseconds. */
export function findCompleteUntil(db: Pick<Db, "oneFirst">): Promise<number> {
  return db.oneFirst(sql.type(z.object({ completeUntil: z.number() }))`
    SELECT complete_until AS "completeUntil" FROM click_progress
  `);
}
