import { estimateVisitorsByRank } from "@tapthru/proto/clicks/visitor-sketch";
import type { ClickTotals } from "@tapthru/proto/http/clicks";
import type { ClickHouse } from "../../clickhouse/clickhouse.ts";
import type { Db } from "../../postgres/postgres.ts";
import { MAX_PARTS } from "../breakdown.ts";
import type { ClickRange } from "../click-range.ts";
import type { ClickScope, OwnLink } from "../click-store.ts";
import { findLinksById } from "../queries.ts";
import { countsByLink, peopleByLinkAndDay, visitorRanks } from "./click-queries.ts";

const DAY_MS = 86_400_000;

export interface TopLinksDependencies {
  /** Has the short codes of links. */
  db: Db<"any">;
  clickHouse: Pick<ClickHouse, "rows">;
}

interface TopLinks {
  links: readonly OwnLink[];
  byLink: ReadonlyMap<number, ClickTotals>;
}

/** The links with most people. Of links with as few people as the last one, some may be missing. */
export async function topLinks(
  { db, clickHouse }: TopLinksDependencies,
  scope: ClickScope,
  range: ClickRange,
): Promise<TopLinks> {
  const sums = await countsByLink(clickHouse, scope, range, MAX_PARTS);
  const linkIds = sums.map(({ linkId }) => linkId);
  if (linkIds.length === 0) return { links: [], byLink: new Map() };
  const [links, days, ranks] = await Promise.all([
    findLinksById(db, scope.userId, linkIds),
    peopleByLinkAndDay(clickHouse, scope.userId, linkIds, range),
    visitorRanks(clickHouse, { ...scope, link: null }, range, linkIds),
  ]);
  const estimates = new Map(
    ranks.map((each) => [`${each.linkId} ${each.utcDay}`, estimateOf(each.ranks)]),
  );
  const visitors = new Map<number, { whole: number; part: number }>();
  for (const { linkId, utcDay, inRange, all, estimate } of days) {
    if (all === 0) continue;
    const ofLink = visitors.get(linkId) ?? { whole: 0, part: 0 };
    visitors.set(linkId, ofLink);
    const ofDay = Math.min((estimates.get(`${linkId} ${utcDay}`) ?? 0) + estimate, all);
    if (isWhole(utcDay, range)) ofLink.whole += ofDay;
    else ofLink.part += (ofDay * inRange) / all;
  }
  const visitorsOf = (linkId: number) => {
    const { whole, part } = visitors.get(linkId) ?? { whole: 0, part: 0 };
    return whole + Math.round(part);
  };
  return {
    links,
    byLink: new Map(
      sums.map(({ linkId, ...counts }) => [linkId, { ...counts, visitors: visitorsOf(linkId) }]),
    ),
  };
}

/** @param day since 1970 in UTC */
function isWhole(day: number, { from, to }: Pick<ClickRange, "from" | "to">): boolean {
  return day * DAY_MS >= from && (day + 1) * DAY_MS <= to;
}

/** @param ranks pairs of a rank and its number of registers */
export function estimateOf(ranks: readonly (readonly [number, number])[]): number {
  const registers: number[] = [];
  for (const [rank, count] of ranks) registers[rank] = count;
  return estimateVisitorsByRank(registers);
}
