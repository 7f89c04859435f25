import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../platform/postgres/postgres.ts";
import { bytes } from "../platform/postgres/values.ts";

const ClickRow = z.object({
  /** In UTC. */
  day: z.string(),
  counts: PackedCounts,
  /** It is null without visitors, and if the query leaves sketches out. */
  sketch: z.nullable(bytes),
});
export type ClickRow = z.infer<typeof ClickRow>;

const LinkClickRow = z.extend(ClickRow, { linkId: z.int() });
export type LinkClickRow = z.infer<typeof LinkClickRow>;

const OwnLinkRow = z.object({ id: z.int(), shortCode: z.string() });
export type OwnLink = z.infer<typeof OwnLinkRow>;

/** Finds those of the links that belong to the user. */
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

export interface LinkRowsQuery extends RowsQuery {
  linkIds: readonly number[];
  /** A day may have 16 kB of them. Only the number of visitors needs them. */
  hasSketches: boolean;
}

export function clickRowsQuery(query: LinkRowsQuery) {
  const { linkIds, keys, prefix, hasSketches, ...range } = query;
  const sketch = hasSketches ? sql.fragment`visitors` : sql.fragment`NULL`;
  return sql.type(LinkClickRow)`
    SELECT link_id AS "linkId", day::text AS day, ${countsOf(keys, prefix)}, ${sketch} AS sketch
    FROM clicks WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND ${isInRange(range)}
  `;
}

/** All links of a user, with those that they had at the time. */
export function userRowsQuery({ userId, keys, prefix, ...range }: RowsQuery & { userId: number }) {
  return sql.type(ClickRow)`
    SELECT day::text AS day, ${countsOf(keys, prefix)}, visitors AS sketch
    FROM user_clicks WHERE user_id = ${userId} AND ${isInRange(range)}
  `;
}

/**
 * `link_id` and `people` of the user's links with people on these days. LATERAL makes Postgres look up the rows of each link in the index, where it
 * may otherwise read those of all users. BETWEEN is as in `links/list-links.ts`.
 */
export function peopleQuery({ userId, ...range }: ReadRange & { userId: number }): FragmentSqlToken {
  return sql.fragment`
    SELECT links.id AS link_id, counted.people FROM links CROSS JOIN LATERAL (
      SELECT sum(people)::bigint AS people FROM clicks WHERE ${isOfLink(range)}
    ) AS counted
    WHERE user_id BETWEEN ${userId} AND ${userId} AND counted.people > 0
  `;
}

const RANKS = {
  people: sql.fragment`sum(people)::bigint`,
  /** Since 1970. */
  "last-day": sql.fragment`(max(day) FILTER (WHERE people > 0) - date '1970-01-01')::bigint`,
} as const;

/** `link_id` and `value` of those of the user's newest links that have people. */
export function rankQuery(
  query: ReadRange & { userId: number; rank: keyof typeof RANKS; limit: number },
): FragmentSqlToken {
  const { userId, rank, limit, ...range } = query;
  return sql.fragment`
    SELECT links.id AS link_id, counted.value FROM (
      SELECT id FROM links WHERE user_id BETWEEN ${userId} AND ${userId} ORDER BY user_id, id DESC LIMIT ${limit}
    ) AS links CROSS JOIN LATERAL (SELECT ${RANKS[rank]} AS value FROM clicks WHERE ${isOfLink(range)}) AS counted
    WHERE counted.value > 0
  `;
}

/** A condition for the rows of one of `links`. */
function isOfLink(range: ReadRange): FragmentSqlToken {
  return sql.fragment`link_id = links.id AND ${isInRange(range)}`;
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

function isInRange({ from, to }: ReadRange): FragmentSqlToken {
  const dayAt = (time: number) => sql.fragment`(to_timestamp(${time / 1_000}) AT TIME ZONE 'UTC')::date`;
  return sql.fragment`day BETWEEN ${dayAt(from)} AND ${dayAt(to - 1)}`;
}
