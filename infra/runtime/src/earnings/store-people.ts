import { ORIGINAL_STORE } from "@tapthru/proto/clicks/keys";
import type { ClickRange } from "../clicks/click-range.ts";
import type { ClickStore } from "../clicks/click-store.ts";
import type { TagMatcher } from "./match-tags.ts";
import type { LinkRow } from "./read-matcher.ts";

/** People who opened a store by links with a channel's tag; a share of visitors may not be a whole number. */
export interface StorePeople {
  channelId: number;
  marketplace: string;
  people: number;
}

interface PeopleOfLinks {
  links: readonly LinkRow[];
  matcher: TagMatcher;
  people: ReadonlyMap<number, number>;
}

/**
 * The people who opened each store. Visitors who were sent to other stores are known by store, not by link: they are divided
 * among the routed links of the user in proportion to the people of these.
 */
export async function readStorePeople(
  clickStore: Pick<ClickStore, "count">,
  { userId, range }: { userId: number; range: ClickRange },
  { links, matcher, people }: PeopleOfLinks,
): Promise<StorePeople[]> {
  const found: StorePeople[] = [];
  // Their own channel's tags are those of the other stores.
  const routed: { channelId: number; place: Omit<StorePeople, "people">; people: number }[] = [];
  for (const { id, channelId, isRouted } of links) {
    const place = matcher.placeOf(id);
    const count = people.get(id) ?? 0;
    if (place === undefined || count === 0) continue;
    found.push({ ...place, people: count });
    if (isRouted) routed.push({ channelId, place, people: count });
  }
  if (routed.length === 0) return found;
  const { breakdown } = await clickStore.count({ userId, link: null }, range, "store");
  const all = routed.reduce((sum, each) => sum + each.people, 0);
  for (const { key, person } of breakdown) {
    if (key === ORIGINAL_STORE) continue;
    for (const { channelId, place, people: own } of routed) {
      const share = (Math.min(person, all) * own) / all;
      found.push({ channelId, marketplace: key, people: share });
      found.push({ ...place, people: -share });
    }
  }
  return found;
}

/** By key, as whole numbers. */
export function addUpPeople(
  found: readonly StorePeople[],
  keyOf: (each: StorePeople) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const each of found) {
    const key = keyOf(each);
    sums.set(key, (sums.get(key) ?? 0) + each.people);
  }
  return new Map([...sums].map(([key, people]) => [key, Math.max(0, Math.round(people))]));
}
