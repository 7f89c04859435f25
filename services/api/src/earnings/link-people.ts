import { isOneOf } from "@tapthru/core/earnings/tag-channels";
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
  keyCount: z.int(),
});

interface PeopleQuery {
  userId: number;
  people: FragmentSqlToken;
  by: "link" | "label" | "product";
  sold: readonly string[];
  sort: EarningsOrder;
  /** The number of keys without sales to read: the first ones in the order. */
  limit: number;
}

/**
 * The people of present links by link, label or product: of those with sales, and of those that follow in the order of the table. By link
 * `omittedCount` has deleted links that can be restored, too.
 */
export async function findPeople(
  db: Db<"any">,
  { userId, people, by, sold, sort, limit }: PeopleQuery,
): Promise<{ people: Map<string, People>; omittedCount: number }> {
  const { keyed, present = sql.fragment`` } = keysBy(userId)[by];
  const isSold = sql.fragment`key = ANY(${sql.array(sold, "text")})`;
  const rows = await db.any(sql.type(KeyedPeople)`
    WITH person AS MATERIALIZED (${people}), keyed AS MATERIALIZED (${keyed})
    SELECT *, (SELECT count(*) FROM keyed) AS "keyCount" FROM (
      SELECT * FROM keyed WHERE ${isSold}
      UNION ALL
      SELECT * FROM (
        SELECT * FROM keyed WHERE NOT ${isSold} ORDER BY ${UNSOLD_ORDERS[sort]} key COLLATE "C" LIMIT ${limit}
      ) AS first ${present}
    ) AS shown
  `);
  return {
    people: new Map(rows.map(({ key: name, all, earnings, orders }) => [name, { all, earnings, orders }])),
    omittedCount: (rows[0]?.keyCount ?? 0) - rows.length,
  };
}

/** Figures of a key without sales, which earns nothing: the order of the table compares these before the key. */
const UNSOLD_ORDERS = {
  earnings: sql.fragment``,
  "earnings-per-click": sql.fragment`(earnings > 0) DESC,`,
  people: sql.fragment`"all" DESC,`,
  ordered: sql.fragment``,
  conversion: sql.fragment`(orders > 0) DESC,`,
  returned: sql.fragment``,
  key: sql.fragment``,
};

interface Keys {
  /** The query of `key` and of the sums of `person`. */
  keyed: FragmentSqlToken;
  /** Leaves out `first` keys of what was deleted. */
  present?: FragmentSqlToken;
}

function keysBy(userId: number): Record<PeopleQuery["by"], Keys> {
  const own = isOneOf(userId, sql.fragment`SELECT link_id FROM person`);
  const summed = (key: FragmentSqlToken, of: FragmentSqlToken) => sql.fragment`
    SELECT (${key})::text AS key, sum("all") AS "all", sum(earnings) AS earnings, sum(orders) AS orders FROM person ${of} GROUP BY 1
  `;
  return {
    link: {
      keyed: sql.fragment`SELECT link_id::text AS key, "all", earnings, orders FROM person`,
      present: sql.fragment`CROSS JOIN LATERAL (
        SELECT FROM links WHERE id = first.key::bigint AND user_id = ${userId} OFFSET 0
      ) AS link`,
    },
    label: {
      keyed: summed(
        sql.fragment`label_id`,
        sql.fragment`JOIN link_labels USING (link_id) WHERE label_id = ANY(ARRAY(SELECT id FROM labels WHERE user_id = ${userId}))`,
      ),
    },
    // Also those to which the link led earlier.
    product: {
      keyed: summed(
        sql.fragment`page.asin`,
        sql.fragment`JOIN (
          SELECT link.id AS link_id, asin FROM links AS link WHERE ${own}
          UNION SELECT link_id, asin FROM link_destinations WHERE link_id = ANY(ARRAY(SELECT link_id FROM person))
        ) AS page USING (link_id) WHERE page.asin IS NOT NULL`,
      ),
    },
  };
}
