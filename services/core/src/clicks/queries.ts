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

const OwnLinkRow = z.object({ id: z.int(), shortCode: z.string(), marketplace: z.nullable(z.string()) });
export type OwnLink = z.infer<typeof OwnLinkRow>;

export function findLinksById(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode", marketplace FROM links
    WHERE id = ANY(${sql.array(linkIds, "int8")}) AND user_id = ${userId}
  `);
}

/** @param link with a current or earlier code */
export function findOwnLinkId(db: Db<"maybeOne">, { userId, shortCode }: { userId: number; shortCode: string }) {
  return db.maybeOne(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode", marketplace FROM links
    WHERE id = find_link_id(${shortCode}) AND user_id = ${userId}
  `);
}

export function findOwnLinksByCode(
  db: Db<"any">,
  { userId, shortCodes }: { userId: number; shortCodes: readonly string[] },
) {
  return db.any(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode", marketplace FROM links
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
    FROM clicks WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND ${isInRange(range)} ORDER BY day
  `;
}

/** All links of a user, with those that they had at the time. */
export function userRowsQuery({ userId, keys, prefix, ...range }: RowsQuery & { userId: number }) {
  return sql.type(ClickRow)`
    SELECT day::text AS day, ${countsOf(keys, prefix)}, visitors AS sketch
    FROM user_clicks WHERE user_id = ${userId} AND ${isInRange(range)} ORDER BY day
  `;
}

const DAY_MS = 86_400_000;
/** Rows of one user that a request adds up by link: 10,000 links with clicks on each of 30 days. */
const SUMMED_ROWS_MAX_COUNT = 300_000;

/** The newest days of a range whose rows of links can be added up in one request. @returns whether there are earlier ones */
export async function summedDays<Range extends ReadRange>(
  db: Db<"any">,
  userId: number,
  range: Range,
  count = SUMMED_ROWS_MAX_COUNT,
): Promise<{ range: Range; areMore: boolean }> {
  const [left] = await db.any(sql.type(z.object({ time: z.number() }))`
    SELECT day::timestamp AT TIME ZONE 'UTC' AS time FROM ${clicksOfUser({ userId, ...range })}
    ORDER BY day DESC OFFSET ${count} LIMIT 1
  `);
  return left === undefined
    ? { range, areMore: false }
    : { range: { ...range, from: Math.max(range.from, left.time + DAY_MS) }, areMore: true };
}

/**
 * The rows of a user's links on these days, also of deleted links that can be restored: `link_id`, `day` and `people` are read from an
 * index alone.
 */
const clicksOfUser = ({ userId, ...range }: ReadRange & { userId: number }): FragmentSqlToken => sql.fragment`
  clicks WHERE user_id = ${userId} AND ${isInRange(range)}
`;

const RANKS = {
  people: sql.fragment`sum(people)::bigint`,
  "last-day": sql.fragment`(max(day) FILTER (WHERE people > 0) - date '1970-01-01')::bigint`,
} as const;

type RankQuery = ReadRange & { userId: number; rank: keyof typeof RANKS };

/** `link_id` and `value` of the first links in the order of their values. */
export const rankQuery = ({ limit, rank, ...query }: RankQuery & { limit: number }): FragmentSqlToken => sql.fragment`
  SELECT link_id, ${RANKS[rank]} AS value FROM ${clicksOfUser(query)}
  GROUP BY link_id HAVING sum(people) > 0 ORDER BY value DESC, link_id DESC LIMIT ${limit}
`;

export async function findTopLinkIds(
  db: Db<"any">,
  { limit, ...query }: ReadRange & { userId: number; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT link_id AS id FROM (
      SELECT link_id, sum(people) AS people FROM ${clicksOfUser(query)}
      GROUP BY link_id HAVING sum(people) > 0 ORDER BY people DESC, link_id
    ) AS counted CROSS JOIN LATERAL (
      SELECT FROM links WHERE id = link_id AND user_id = ${query.userId} OFFSET 0
    ) AS link ORDER BY people DESC, link_id LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
}

/** Whether people ever tapped a link of the user. */
export function hasTaps(db: Db<"exists">, userId: number): Promise<boolean> {
  return db.exists(sql.type(z.object({}))`SELECT FROM user_clicks WHERE user_id = ${userId} AND people > 0`);
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
