import type { ClickRange } from "@tapthru/core/clicks/click-range";
import { clicksOfUser } from "@tapthru/core/clicks/queries";
import { isOneOf } from "@tapthru/core/earnings/tag-channels";
import { type FragmentSqlToken, sql } from "slonik";
import type { Coverage } from "./coverage.ts";

export interface People {
  all: number;
  earnings: number;
  orders: number;
}

/** @param read the people in a range by key; each range is read once */
export async function readPeople<Key>(
  range: ClickRange,
  coverageOf: (key: Key) => Coverage,
  read: (range: ClickRange) => Promise<ReadonlyMap<Key, number>>,
): Promise<Map<Key, People>> {
  const found = new Map<string, ReadonlyMap<Key, number>>();
  async function countIn(ranges: readonly ClickRange[], key: Key): Promise<number> {
    let sum = 0;
    for (const each of ranges) {
      const days = `${each.from} ${each.to}`;
      const counts = found.get(days) ?? (await read(each));
      found.set(days, counts);
      sum += counts.get(key) ?? 0;
    }
    return sum;
  }
  const people = new Map<Key, People>();
  for (const [key, all] of await read(range)) {
    const coverage = coverageOf(key);
    const earnings = await countIn(coverage.ranges("earnings"), key);
    people.set(key, { all, earnings, orders: await countIn(coverage.ranges("orders"), key) });
  }
  return people;
}

interface LinksQuery {
  userId: number;
  range: ClickRange;
  coverage: Coverage;
}

/**
 * A query of `link_id`, `all`, `earnings` and `orders`: the people of each link with people, also on the days that reports of its store
 * cover. Links are only read if these differ.
 */
export function peopleOfLinks({ userId, range, coverage }: LinksQuery): FragmentSqlToken {
  const stores = coverage.stores.map((store) => {
    const ofStore = coverage.of([store]);
    return [store, ofStore.multirange("earnings"), ofStore.multirange("orders")];
  });
  const clicks = clicksOfUser({ userId, ...range });
  const isSame = new Set(stores.map(([, ...days]) => days.join(" "))).size <= 1;
  // Each text is read once, not for each row of clicks.
  const covered = isSame
    ? sql.fragment`CROSS JOIN (
        SELECT ${coverage.multirange("earnings")}::text::datemultirange AS earnings, ${coverage.multirange("orders")}::text::datemultirange AS orders OFFSET 0
      ) AS covered`
    : sql.fragment`LEFT JOIN (all_links AS link JOIN (
        SELECT store, earnings::datemultirange AS earnings, orders::datemultirange AS orders
        FROM ${sql.unnest(stores, ["text", "text", "text"])} AS days (store, earnings, orders) OFFSET 0
      ) AS covered ON store = link.marketplace) ON link.id = link_id AND ${isOneOf(userId, sql.fragment`SELECT DISTINCT link_id FROM ${clicks}`)}`;
  const peopleOf = (days: FragmentSqlToken) =>
    sql.fragment`coalesce(sum(people) FILTER (WHERE day <@ ${days}), 0)::bigint`;
  return sql.fragment`
    SELECT link_id, sum(people)::bigint AS "all", ${peopleOf(sql.fragment`covered.earnings`)} AS earnings,
      ${peopleOf(sql.fragment`covered.orders`)} AS orders
    FROM (SELECT link_id, day, people FROM ${clicks}) AS click ${covered}
    GROUP BY link_id HAVING sum(people) > 0
  `;
}

export const NO_PEOPLE: People = { all: 0, earnings: 0, orders: 0 };

export function sumOfPeople(counts: readonly People[]): People {
  const sum = { ...NO_PEOPLE };
  for (const { all, earnings, orders } of counts) {
    sum.all += all;
    sum.earnings += earnings;
    sum.orders += orders;
  }
  return sum;
}
