import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { QUARTERS_PER_DAY, quarterAt } from "@tapthru/proto/clicks/quarters";
import { ClickTotals } from "@tapthru/proto/http/clicks";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../postgres/postgres.ts";
import { bytes } from "../postgres/values.ts";

/** The clicks on a day or in a month, in UTC. */
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

/** Of these links, those that the user has. */
export function findLinksById(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(OwnLinkRow)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = ANY(${sql.array(linkIds, "int8")}) AND user_id = ${userId}
  `);
}

/** @param link with a current or earlier code */
export function findOwnLinkId(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
) {
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

/** Some links, or all of a user, who may have very many. */
export type LinkSet = readonly number[] | { ofUser: number };

/** BETWEEN makes Postgres use the index on `user_id`, as in `links/user-links-queries.ts`. */
function isIn(links: LinkSet): FragmentSqlToken {
  return "ofUser" in links
    ? sql.fragment`IN (SELECT id FROM links WHERE user_id BETWEEN ${links.ofUser} AND ${links.ofUser})`
    : sql.fragment`= ANY(${sql.array(links, "int8")})`;
}

export interface ClickRowsQuery extends ReadRange {
  links: LinkSet;
  /** The keys that are read; null: all. */
  keys: readonly string[] | null;
}

export function clickRowsQuery({ links, keys, ...range }: ClickRowsQuery) {
  const counts = countsOf(keys);
  const { first, last } = daysOf(range);
  return sql.type(LinkClickRow)`
    SELECT link_id AS "linkId", day::text AS start, ${counts}, visitors AS sketch, NULL AS estimates
    FROM clicks WHERE link_id ${isIn(links)} AND day BETWEEN ${first} AND ${last}
    UNION ALL
    SELECT link_id, month::text, ${counts}, NULL, visitors
    FROM monthly_clicks
    WHERE link_id ${isIn(links)} AND month BETWEEN date_trunc('month', ${first})::date AND ${last}
  `;
}

export interface OwnerRowsQuery extends ReadRange {
  userId: number;
  keys: readonly string[] | null;
}

/** Days that were added up for all links of a user. */
export function ownerRowsQuery({ userId, keys, ...range }: OwnerRowsQuery) {
  const { first, last } = daysOf(range);
  return sql.type(ClickRow)`
    SELECT day::text AS start, ${countsOf(keys)}, visitors AS sketch,
      jsonb_build_object('1', rolled_up_visitors) AS estimates
    FROM owner_clicks
    WHERE user_id = ${userId} AND day BETWEEN ${first} AND ${last} AND counts IS NOT NULL
    ORDER BY owner_clicks.day
  `;
}

/** The days of a range that were added up for all links of a user, such as 2026-11-21. */
export async function findOwnerDays(
  db: Db<"any">,
  { userId, ...range }: ReadRange & { userId: number },
): Promise<string[]> {
  const { first, last } = daysOf(range);
  const rows = await db.any(sql.type(z.object({ day: z.string() }))`
    SELECT day::text AS day FROM owner_clicks
    WHERE user_id = ${userId} AND day BETWEEN ${first} AND ${last} AND counts IS NOT NULL
    ORDER BY owner_clicks.day
  `);
  return rows.map(({ day }) => day);
}

export interface PeopleQuery {
  userId: number;
  /** That were added up for all links of the user, and are whole in the range. */
  ownerDays: readonly string[];
  /** What else the range has. */
  ranges: readonly ReadRange[];
}

/** `link_id` and `people` of each link with rows in the range, also of links that were deleted since. */
export function peopleQuery({ userId, ownerDays, ranges }: PeopleQuery): FragmentSqlToken {
  const ofUser = isIn({ ofUser: userId });
  const parts = sql.unnest(
    ranges.map(({ from, to }) => [quarterAt(from), quarterAt(to)]),
    ["int4", "int4"],
  );
  const { first, last } = daysOf({
    from: Math.min(...ranges.map(({ from }) => from), Date.now()),
    to: Math.max(...ranges.map(({ to }) => to), 1),
  });
  const day = (quarter: FragmentSqlToken) =>
    sql.fragment`(date '1970-01-01' + ${quarter} / ${QUARTERS_PER_DAY}::integer)`;
  const [firstDay, lastDay] = [
    day(sql.fragment`part.first`),
    day(sql.fragment`(part.past - 1)`),
  ] as const;
  const people = (start: FragmentSqlToken) => {
    const quarter = sql.fragment`(${start} - date '1970-01-01') * ${QUARTERS_PER_DAY}::integer`;
    return sql.fragment`sum_of_series(counts ->> 'p', part.first - ${quarter}, part.past - ${quarter})`;
  };
  return sql.fragment`
    SELECT link_id, sum(people)::bigint AS people FROM (
      SELECT link.link_id, link.person::bigint AS people
      FROM owner_clicks, unnest(link_ids, person) AS link (link_id, person)
      WHERE user_id = ${userId} AND day = ANY(${sql.array(ownerDays, "date")})
      UNION ALL
      SELECT link_id, ${people(sql.fragment`day`)}
      FROM ${parts} AS part (first, past) JOIN clicks ON day BETWEEN ${firstDay} AND ${lastDay}
      WHERE link_id ${ofUser} AND day BETWEEN ${first} AND ${last}
      UNION ALL
      SELECT link_id, ${people(sql.fragment`month`)}
      FROM ${parts} AS part (first, past)
      JOIN monthly_clicks ON month BETWEEN date_trunc('month', ${firstDay})::date AND ${lastDay}
      WHERE link_id ${ofUser} AND month BETWEEN date_trunc('month', ${first})::date AND ${last}
    ) AS counted GROUP BY link_id
  `;
}

/** The links with the most people, also links that were deleted since. */
export async function findTopLinkIds(
  db: Db<"any">,
  { people, limit }: { people: FragmentSqlToken; limit: number },
): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT link_id AS id FROM (${people}) AS counted ORDER BY people DESC, link_id LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
}

const LinkTotals = z.extend(ClickTotals, { linkId: z.int() });

interface LinkTotalsQuery {
  userId: number;
  linkIds: readonly number[];
  days: readonly string[];
}

/** The totals of some links on these days, which were added up. */
export function findLinkTotals(db: Db<"any">, { userId, linkIds, days }: LinkTotalsQuery) {
  return db.any(sql.type(LinkTotals)`
    SELECT link_id AS "linkId", sum(link.person) AS person, sum(link.preview) AS preview,
      sum(link.bot) AS bot, sum(link.prefetch) AS prefetch, coalesce(sum(link.assistant), 0) AS assistant,
      sum(link.opened) AS opened, sum(link.visitors) AS visitors
    FROM owner_clicks,
      unnest(link_ids, person, preview, bot, prefetch, assistant, opened, link_visitors)
        AS link (link_id, person, preview, bot, prefetch, assistant, opened, visitors)
    WHERE user_id = ${userId} AND day = ANY(${sql.array(days, "date")})
      AND link_id = ANY(${sql.array(linkIds, "int8")})
    GROUP BY link_id
  `);
}

/** Unix milliseconds. */
export function findCompleteUntil(db: Db<"oneFirst">) {
  return db.oneFirst(sql.type(z.object({ completeUntil: z.number() }))`
    SELECT complete_until AS "completeUntil" FROM click_progress
  `);
}

function countsOf(keys: readonly string[] | null): FragmentSqlToken {
  if (keys === null) return sql.fragment`counts`;
  return sql.fragment`jsonb_strip_nulls(jsonb_build_object(${sql.join(
    keys.map((key) => sql.fragment`${key}::text, counts -> ${key}::text`),
    sql.fragment`, `,
  )})) AS counts`;
}

function daysOf({ from, to }: ReadRange): Record<"first" | "last", FragmentSqlToken> {
  return {
    first: sql.fragment`(to_timestamp(${from / 1_000}) AT TIME ZONE 'UTC')::date`,
    last: sql.fragment`(to_timestamp(${(to - 1) / 1_000}) AT TIME ZONE 'UTC')::date`,
  };
}
