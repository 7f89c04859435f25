import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../platform/postgres/postgres.ts";
import { bytes } from "../platform/postgres/values.ts";

const ClickRow = z.object({
  /** The first day. */
  start: z.string(),
  counts: PackedCounts,
  /** The sketch of a day. */
  sketch: z.nullable(bytes),
  /** Estimates of days without a sketch, by day of the period from "1". */
  estimates: z.nullable(z.record(z.string(), z.int())),
});
export type ClickRow = z.infer<typeof ClickRow>;

const LinkClickRow = z.extend(ClickRow, { linkId: z.int() });
export type LinkClickRow = z.infer<typeof LinkClickRow>;

const OwnLinkRow = z.object({ id: z.int(), shortCode: z.string() });
export type OwnLink = z.infer<typeof OwnLinkRow>;

/** Of these links, those that the user has. */
export function findLinksById(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = ANY(${sql.array(linkIds, "int8")}) AND user_id = ${userId}
  `);
}

/** @param link with a current or earlier code */
export function findOwnLinkId(db: Db<"maybeOne">, { userId, shortCode }: { userId: number; shortCode: string }) {
  return db.maybeOne(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = find_link_id(${shortCode}) AND user_id = ${userId}
  `);
}

export function findOwnLinksByCode(
  db: Db<"any">,
  { userId, shortCodes }: { userId: number; shortCodes: readonly string[] },
) {
  return db.any(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE short_code = ANY(${sql.array(shortCodes, "text")}) AND user_id = ${userId}
  `);
}

/** Unix milliseconds. Rows of each UTC day that has a part of the range are read whole. */
export interface ReadRange {
  from: number;
  to: number;
}

interface RowsQuery extends ReadRange {
  /** The keys that are read; null: all. */
  keys: readonly string[] | null;
  /** Keys that begin with it are read too. */
  prefix?: string | undefined;
}

export function clickRowsQuery({ linkIds, keys, prefix, ...range }: RowsQuery & { linkIds: readonly number[] }) {
  const counts = countsOf(keys, prefix);
  const { first, last, firstMonth } = daysOf(range);
  const ids = sql.array(linkIds, "int8");
  return sql.type(LinkClickRow)`
    SELECT link_id AS "linkId", day::text AS start, ${counts}, visitors AS sketch, NULL AS estimates
    FROM clicks WHERE link_id = ANY(${ids}) AND day BETWEEN ${first} AND ${last}
    UNION ALL
    SELECT link_id, month::text, ${counts}, NULL, visitors
    FROM monthly_clicks WHERE link_id = ANY(${ids}) AND month BETWEEN ${firstMonth} AND ${last}
  `;
}

/** All links of a user, with those that they had at the time. */
export function userRowsQuery({ userId, keys, prefix, ...range }: RowsQuery & { userId: number }) {
  const { first, last } = daysOf(range);
  return sql.type(ClickRow)`
    SELECT day::text AS start, ${countsOf(keys, prefix)}, visitors AS sketch, NULL AS estimates
    FROM user_clicks WHERE user_id = ${userId} AND day BETWEEN ${first} AND ${last}
  `;
}

/**
 * `link_id` and `people` of the user's links with people on these days. LATERAL makes Postgres look up the rows of each link in the index, where it
 * may otherwise read those of all users. BETWEEN is as in `links/list-links.ts`.
 */
export function peopleQuery({ userId, ...range }: ReadRange & { userId: number }): FragmentSqlToken {
  return sql.fragment`
    SELECT links.id AS link_id, counted.people FROM links CROSS JOIN LATERAL (
      SELECT sum(part.people)::bigint AS people FROM (${daysOfLink(range)}) AS part
    ) AS counted
    WHERE user_id BETWEEN ${userId} AND ${userId} AND counted.people > 0
  `;
}

const RANKS = {
  people: sql.fragment`sum(part.people)::bigint`,
  /** Since 1970. */
  "last-day": sql.fragment`(max(part.day) FILTER (WHERE part.people > 0) - date '1970-01-01')::bigint`,
} as const;

/** `link_id` and `value` of those of the user's newest links that have people. */
export function rankQuery(
  query: ReadRange & { userId: number; rank: keyof typeof RANKS; limit: number },
): FragmentSqlToken {
  const { userId, rank, limit, ...range } = query;
  return sql.fragment`
    SELECT links.id AS link_id, counted.value FROM (
      SELECT id FROM links WHERE user_id BETWEEN ${userId} AND ${userId} ORDER BY user_id, id DESC LIMIT ${limit}
    ) AS links CROSS JOIN LATERAL (SELECT ${RANKS[rank]} AS value FROM (${daysOfLink(range)}) AS part) AS counted
    WHERE counted.value > 0
  `;
}

/** The people of one of `links` by day. */
function daysOfLink(range: ReadRange): FragmentSqlToken {
  const { first, last, firstMonth } = daysOf(range);
  return sql.fragment`
    SELECT day, people FROM clicks WHERE link_id = links.id AND day BETWEEN ${first} AND ${last}
    UNION ALL
    SELECT month + key::integer - 1, value::integer FROM monthly_clicks, jsonb_each_text(people)
    WHERE link_id = links.id AND month BETWEEN ${firstMonth} AND ${last}
      AND month + key::integer - 1 BETWEEN ${first} AND ${last}
  `;
}

export async function findTopLinkIds(
  db: Db<"any">,
  { people, limit }: { people: FragmentSqlToken; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT link_id AS id FROM (${people}) AS counted ORDER BY people DESC, link_id LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
}

/** Unix milliseconds. */
export function findCompleteUntil(db: Db<"oneFirst">) {
  return db.oneFirst(sql.type(z.object({ completeUntil: z.number() }))`
    SELECT complete_until AS "completeUntil" FROM click_progress
  `);
}

function countsOf(keys: readonly string[] | null, prefix?: string): FragmentSqlToken {
  if (keys === null) return sql.fragment`counts`;
  if (prefix !== undefined) {
    return sql.fragment`(
      SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(counts)
      WHERE key = ANY(${sql.array(keys, "text")}) OR starts_with(key, ${prefix})
    ) AS counts`;
  }
  return sql.fragment`jsonb_strip_nulls(jsonb_build_object(${sql.join(
    keys.map((key) => sql.fragment`${key}::text, counts -> ${key}::text`),
    sql.fragment`, `,
  )})) AS counts`;
}

function daysOf({ from, to }: ReadRange): Record<"first" | "last" | "firstMonth", FragmentSqlToken> {
  const first = sql.fragment`(to_timestamp(${from / 1_000}) AT TIME ZONE 'UTC')::date`;
  const last = sql.fragment`(to_timestamp(${(to - 1) / 1_000}) AT TIME ZONE 'UTC')::date`;
  return { first, last, firstMonth: sql.fragment`date_trunc('month', ${first})::date` };
}
