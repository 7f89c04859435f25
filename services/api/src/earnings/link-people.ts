import { channelOfLink, channelTagsOf } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsOrder } from "@tapthru/proto/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { People } from "./people.ts";

const KeyedPeople = z.object({
  key: z.string(),
  all: z.int(),
  earnings: z.int(),
  orders: z.int(),
});

/**
 * The people of present links of the user by what these have in common.
 * @param people the query of `peopleOfLinks`
 */
export async function sumPeople(
  db: Db<"any">,
  userId: number,
  people: FragmentSqlToken,
  by: "label" | "channel" | "product",
): Promise<Map<string, People>> {
  const { key, of } = keysBy(userId)[by];
  const found = await db.any(sql.type(KeyedPeople)`
    SELECT (${key})::text AS key, sum("all") AS "all", sum(earnings) AS earnings, sum(orders) AS orders
    FROM (${people}) AS person JOIN links AS link ON link.id = link_id AND link.user_id = ${userId} ${of} GROUP BY 1
  `);
  return new Map(found.map(({ key: name, ...sums }) => [name, sums]));
}

const LinkPeople = z.object({
  id: z.int(),
  shortCode: z.string(),
  all: z.int(),
  earnings: z.int(),
  orders: z.int(),
  /** How many links without sales have people. */
  unsoldCount: z.int(),
});

interface LinkPeopleQuery {
  userId: number;
  people: FragmentSqlToken;
  /** The links with sales. */
  sold: readonly number[];
  sort: EarningsOrder;
  /** Of the links without sales that are read: the first ones in the order. */
  limit: number;
}

/** The links with sales, and those that follow in the order of the table. */
export async function findLinkPeople(
  db: Db<"any">,
  { userId, people, sold, sort, limit }: LinkPeopleQuery,
): Promise<{
  links: readonly { id: number; shortCode: string }[];
  people: Map<number, People>;
  omittedCount: number;
}> {
  const isSold = sql.fragment`id = ANY(${sql.array(sold, "int8")})`;
  const rows = await db.any(sql.type(LinkPeople)`
    WITH person AS MATERIALIZED (
      SELECT id, short_code, "all", earnings, orders
      FROM (${people}) AS counted JOIN links ON links.id = link_id AND user_id = ${userId}
    ), shown AS (
      (
        SELECT id, short_code, coalesce("all", 0) AS "all", coalesce(earnings, 0) AS earnings, coalesce(orders, 0) AS orders
        FROM links LEFT JOIN person USING (id, short_code) WHERE ${isSold} AND user_id = ${userId}
      ) UNION ALL (
        SELECT * FROM person WHERE NOT ${isSold}
        ORDER BY ${UNSOLD_ORDERS[sort]} short_code COLLATE "C" LIMIT ${limit}
      )
    )
    SELECT id, short_code AS "shortCode", "all", earnings, orders,
      (SELECT count(*) FROM person WHERE NOT ${isSold}) AS "unsoldCount"
    FROM shown
  `);
  const soldIds = new Set(sold);
  const shownCount = rows.filter(({ id }) => !soldIds.has(id)).length;
  return {
    links: rows,
    people: new Map(rows.map(({ id, all, earnings, orders }) => [id, { all, earnings, orders }])),
    omittedCount: (rows[0]?.unsoldCount ?? 0) - shownCount,
  };
}

/** Links without sales earn nothing: among them, what the order of the table compares before the short code. */
const UNSOLD_ORDERS = {
  earnings: sql.fragment``,
  "earnings-per-click": sql.fragment`(earnings > 0) DESC,`,
  people: sql.fragment`"all" DESC,`,
  ordered: sql.fragment``,
  conversion: sql.fragment`(orders > 0) DESC,`,
  returned: sql.fragment``,
  key: sql.fragment``,
};

function keysBy(userId: number) {
  return {
    label: {
      key: sql.fragment`label_id`,
      of: sql.fragment`JOIN link_labels AS label ON label.link_id = link.id`,
    },
    // The one that has the link's tag, as for its sales.
    channel: {
      key: sql.fragment`coalesce(known.channel_id, ${channelOfLink(userId)})`,
      of: sql.fragment`LEFT JOIN (${channelTagsOf(userId)}) AS known
        ON (known.marketplace, known.tag) = (link.marketplace, link.tag)`,
    },
    // Also those to which the link led earlier.
    product: {
      key: sql.fragment`page.asin`,
      of: sql.fragment`JOIN LATERAL (
        SELECT link.asin UNION SELECT asin FROM link_destinations WHERE link_id = link.id
      ) AS page ON page.asin IS NOT NULL`,
    },
  } satisfies Record<string, { key: FragmentSqlToken; of: FragmentSqlToken }>;
}
