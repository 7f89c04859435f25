import type { ClickRange } from "@tapthru/core/clicks/click-range";
import { clicksOfUser } from "@tapthru/core/clicks/queries";
import { type FragmentSqlToken, sql } from "slonik";
import type { Coverage } from "./coverage.ts";
import { dayAt } from "./queries.ts";

/** On all days of a range, and on those that reports of earnings, or of orders, cover. */
export interface People {
  all: number;
  earnings: number;
  orders: number;
}

type Fields = ReadonlySet<keyof People>;

/** The ranges that are read, each once, and which people they are. */
function rangesOf(range: ClickRange, coverage: Coverage): { range: ClickRange; fields: Fields }[] {
  const ranges = [
    { field: "all", range } as const,
    ...coverage.ranges("earnings").map((each) => ({ field: "earnings", range: each }) as const),
    ...coverage.ranges("orders").map((each) => ({ field: "orders", range: each }) as const),
  ];
  const byDays = Map.groupBy(ranges, ({ range: { from, to } }) => `${from} ${to}`);
  return [...byDays.values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({ range: first.range, fields: new Set(same.map(({ field }) => field)) })),
  );
}

/** @param read the people in a range by key */
export async function readPeople<Key>(
  range: ClickRange,
  coverage: Coverage,
  read: (range: ClickRange) => Promise<ReadonlyMap<Key, number>>,
): Promise<Map<Key, People>> {
  const people = new Map<Key, People>();
  for (const { range: each, fields } of rangesOf(range, coverage)) {
    for (const [key, count] of await read(each)) {
      const added = Object.fromEntries([...fields].map((field) => [field, count]));
      people.set(key, sumOfPeople([people.get(key) ?? NO_PEOPLE, { ...NO_PEOPLE, ...added }]));
    }
  }
  return people;
}

interface LinksQuery {
  userId: number;
  range: ClickRange;
  coverage: Coverage;
}

/** A query of `link_id`, `all`, `earnings` and `orders`: the people of each link with people. */
export function peopleOfLinks({ userId, range, coverage }: LinksQuery): FragmentSqlToken {
  const peopleOf = (what: "earnings" | "orders") => {
    const days = coverage.ranges(what).map(({ from, to }) => `[${dayAt(from)},${dayAt(to)})`);
    return sql.fragment`coalesce(sum(people) FILTER (WHERE day <@ ${`{${days}}`}::text::datemultirange), 0)::bigint`;
  };
  return sql.fragment`
    SELECT link_id, sum(people)::bigint AS "all", ${peopleOf("earnings")} AS earnings, ${peopleOf("orders")} AS orders
    FROM ${clicksOfUser({ userId, ...range })} GROUP BY link_id HAVING sum(people) > 0
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
