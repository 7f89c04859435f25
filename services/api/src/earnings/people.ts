import type { ClickRange } from "@tapthru/runtime/clicks/click-range";
import type { Coverage } from "./coverage.ts";

/** On all days of a range, and on those that reports of earnings, or of orders, cover. */
export interface People {
  all: number;
  earnings: number;
  orders: number;
}

/** @param read the people in a range by key */
export async function readPeople<Key>(
  range: ClickRange,
  coverage: Coverage,
  read: (range: ClickRange) => Promise<ReadonlyMap<Key, number>>,
): Promise<Map<Key, People>> {
  const known = new Map<string, ReturnType<typeof read>>();
  const people = new Map<Key, People>();
  for (const [field, ranges] of [
    ["all", [range]],
    ["earnings", coverage.ranges("earnings")],
    ["orders", coverage.ranges("orders")],
  ] as const) {
    for (const each of ranges) {
      const days = `${each.from} ${each.to}`;
      const found = known.get(days) ?? read(each);
      known.set(days, found);
      for (const [key, count] of await found) addTo(people, key, { ...NO_PEOPLE, [field]: count });
    }
  }
  return people;
}

export const NO_PEOPLE: People = { all: 0, earnings: 0, orders: 0 };

function addTo<Key>(people: Map<Key, People>, key: Key, added: People): void {
  people.set(key, sumOfPeople([people.get(key) ?? NO_PEOPLE, added]));
}

export function sumOfPeople(counts: readonly People[]): People {
  const sum = { ...NO_PEOPLE };
  for (const { all, earnings, orders } of counts) {
    sum.all += all;
    sum.earnings += earnings;
    sum.orders += orders;
  }
  return sum;
}
