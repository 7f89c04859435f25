import type { ClickHouse } from "@tapthru/core/platform/clickhouse/clickhouse";
import { BOUNDED_PREFIXES, MAX_REFERRERS, overflowKey } from "@tapthru/proto/clicks/keys";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";

export interface LinkDay {
  linkId: number;
  day: string;
}

/** Days of links whose referrers are kept in memory. */
const KEPT = 100_000;

/** Bounds the referrers, and the pages, that are counted for each link and day; further ones count as `other`. */
export interface ReferrerBound {
  isKnown(linkDay: LinkDay): boolean;
  /** @param keys those of referrers and pages that are counted already */
  learn(linkDay: LinkDay, keys: readonly string[]): void;
  keyFor(linkDay: LinkDay, key: string): string;
}

export function createReferrerBound(): ReferrerBound {
  const known = new LRUCache<string, Set<string>>({ max: KEPT });
  const idOf = ({ linkId, day }: LinkDay) => `${linkId} ${day}`;

  function keysOf(linkDay: LinkDay): Set<string> {
    const id = idOf(linkDay);
    const keys = known.get(id) ?? new Set<string>();
    known.set(id, keys);
    return keys;
  }

  return {
    isKnown: (linkDay) => known.has(idOf(linkDay)),
    learn(linkDay, keys) {
      for (const key of keys) if (key !== overflowKey(key)) keysOf(linkDay).add(key);
    },
    keyFor(linkDay, key) {
      const keys = keysOf(linkDay);
      const overflow = overflowKey(key);
      if (overflow === null || key === overflow || keys.has(key)) return key;
      const counted = [...keys].filter((each) => overflowKey(each) === overflow);
      if (counted.length >= MAX_REFERRERS) return overflow;
      keys.add(key);
      return key;
    },
  };
}

const KnownReferrer = z.object({ linkId: z.int(), date: z.string(), key: z.string() });

/** The keys of referrers and pages that links have on days in UTC. */
export function findReferrers(clickHouse: Pick<ClickHouse, "rows">, days: readonly (LinkDay & { userId: number })[]) {
  return clickHouse.rows(
    KnownReferrer,
    `SELECT link_id AS linkId, toString(day) AS date, key FROM clicks
     WHERE (user_id, day, link_id) IN
         arrayZip({users:Array(UInt64)}, {days:Array(Date)}, {links:Array(UInt64)})
       AND arrayExists(prefix -> startsWith(key, prefix), {prefixes:Array(String)})
     GROUP BY link_id, day, key`,
    {
      users: days.map(({ userId }) => userId),
      days: days.map(({ day }) => day),
      links: days.map(({ linkId }) => linkId),
      prefixes: BOUNDED_PREFIXES,
    },
  );
}
