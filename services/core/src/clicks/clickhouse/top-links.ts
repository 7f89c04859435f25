import type { ClickTotals } from "@tapthru/proto/clicks";
import { estimateVisitorsByRank } from "@tapthru/proto/clicks/visitor-sketch";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Db } from "../../platform/postgres/postgres.ts";
import { MAX_LINKS } from "../breakdown.ts";
import type { ClickRange } from "../click-range.ts";
import type { ClickScope, OwnLink } from "../click-reader.ts";
import { rounded } from "../click-sums.ts";
import { findLinksById } from "../queries.ts";
import { countsByLink, peopleByLink, peopleByLinkAndDay, visitorRanks } from "./click-queries.ts";

export interface TopLinksDependencies {
  /** Has the short codes of links. */
  db: Db<"any">;
  clickHouse: Pick<ClickHouse, "rows">;
}

interface TopLinks {
  links: readonly OwnLink[];
  byLink: ReadonlyMap<number, ClickTotals>;
}

export async function topLinks(
  { db, clickHouse }: TopLinksDependencies,
  scope: ClickScope,
  range: ClickRange,
): Promise<TopLinks> {
  const { userId } = scope;
  const linkIds =
    scope.linkIds ?? (await peopleByLink(clickHouse, userId, range, MAX_LINKS)).map(({ link_id }) => link_id);
  if (linkIds.length === 0) return { links: [], byLink: new Map() };
  const [links, sums, days, ranks] = await Promise.all([
    findLinksById(db, userId, linkIds),
    countsByLink(clickHouse, userId, linkIds, range),
    peopleByLinkAndDay(clickHouse, userId, linkIds, range),
    visitorRanks(clickHouse, { userId, linkIds: null }, range, linkIds),
  ]);
  const estimates = new Map(ranks.map((each) => [`${each.linkId} ${each.utcDay}`, estimateOf(each.ranks)]));
  const visitors = new Map<number, number>();
  for (const { linkId, utcDay, inRange, all, estimate } of days) {
    if (all === 0) continue;
    const ofDay = Math.min((estimates.get(`${linkId} ${utcDay}`) ?? 0) + estimate, all);
    visitors.set(linkId, (visitors.get(linkId) ?? 0) + (ofDay * inRange) / all);
  }
  return {
    links,
    byLink: new Map(
      sums.map(({ linkId, ...counts }) => [linkId, { ...counts, visitors: rounded(visitors.get(linkId) ?? 0) }]),
    ),
  };
}

/** @param ranks pairs of a rank and its number of registers */
export function estimateOf(ranks: readonly (readonly [number, number])[]): number {
  const registers: number[] = [];
  for (const [rank, count] of ranks) registers[rank] = count;
  return estimateVisitorsByRank(registers);
}
