import type { ClickBreakdown } from "@tapthru/proto/clicks";
import {
  CLICK_CLASSES,
  classKey,
  dimensionPrefix,
  ESTIMATE_KEY,
  keyName,
  OPENED_KEY,
  OUTCOME_PREFIX,
} from "@tapthru/proto/clicks/keys";
import { QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";
import { sql } from "slonik";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.ts";
import { breakdown, MAX_PARTS } from "../breakdown.ts";
import type { ClickRange } from "../click-range.ts";
import type { ClickReader, ClickScope, ExportedClicks } from "../click-reader.ts";
import { ClickSums, Periods, type Sum } from "../click-sums.ts";
import {
  allCounts,
  countsByKey,
  countsByPeriod,
  type LinkValue,
  lastDayByLink,
  peopleByLink,
  peopleByLinkAndPeriod,
  visitorRanks,
} from "./click-queries.ts";
import { estimateOf, type TopLinksDependencies, topLinks } from "./top-links.ts";

/** More than a user has. */
const ALL_LINKS = 1_000_000_000;
const NO_LINKS = { byLink: new Map(), links: [] };

const SUM_NAMES = new Map<string, keyof Sum>([
  ...CLICK_CLASSES.map((name) => [classKey(name), name] as const),
  [OPENED_KEY, "opened"],
]);

/** A query of these rows. As JSON, which takes a fraction of the time of arrays. */
const records = (rows: readonly LinkValue[]) => sql.fragment`
  SELECT link_id, value FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS counted (link_id bigint, value bigint)
`;

/** Reads the rows that the worker writes; `services/worker/src/clicks/clickhouse/tables.ts` describes them. */
export function createClickHouseReader(deps: TopLinksDependencies): ClickReader {
  const { clickHouse } = deps;
  return {
    async count(scope, range, by) {
      const sums = await sumRange(clickHouse, scope, range);
      const totals = sums.totals();
      return {
        totals,
        series: sums.byPeriod(),
        breakdown:
          by === undefined
            ? []
            : breakdown(by, {
                totals,
                sums: await dimensionSums(clickHouse, scope, range, by),
                ...(by === "link" ? await topLinks(deps, scope, range) : NO_LINKS),
              }),
      };
    },

    people: async (userId, range) =>
      sql.fragment`SELECT link_id, value AS people FROM (${records(await peopleByLink(clickHouse, userId, range, ALL_LINKS))}) AS counted`,

    rank: async (userId, range, by, limit) =>
      records(await (by === "people" ? peopleByLink : lastDayByLink)(clickHouse, userId, range, limit)),

    async peopleByPeriod(userId, linkIds, range) {
      const links = new Map<number, number[]>();
      if (linkIds.length === 0) return links;
      const periods = new Periods(range);
      const counts = await peopleByLinkAndPeriod(clickHouse, userId, linkIds, range);
      for (const { linkId, quarter, person } of counts) {
        const ofLink = links.get(linkId) ?? new Array<number>(periods.count).fill(0);
        links.set(linkId, ofLink);
        const index = periods.indexOf(quarter);
        if (index !== undefined) ofLink[index] = (ofLink[index] ?? 0) + person;
      }
      return links;
    },

    async export(userId, linkIds) {
      const links = new Map<number, ExportedClicks>();
      if (linkIds.length === 0) return links;
      for (const { linkId, date, key, clicks } of await allCounts(clickHouse, userId, linkIds)) {
        const days = links.get(linkId) ?? [];
        links.set(linkId, days);
        const last = days.at(-1);
        if (last?.day === date) last.counts[keyName(key)] = clicks;
        else days.push({ day: date, counts: { [keyName(key)]: clicks } });
      }
      return links;
    },
  };
}

async function sumRange(
  clickHouse: Pick<ClickHouse, "rows">,
  scope: ClickScope,
  range: ClickRange,
): Promise<ClickSums> {
  const [counts, days] = await Promise.all([
    countsByPeriod(clickHouse, scope, range),
    visitorRanks(clickHouse, scope, range),
  ]);
  const sums = new ClickSums(new Periods(range));
  for (const { quarter, key, clicks } of counts) {
    const name = SUM_NAMES.get(key);
    if (name !== undefined) sums.addCount(name, quarter, clicks);
    if (key === ESTIMATE_KEY) sums.addEstimate(Math.floor(quarter / QUARTERS_PER_DAY), clicks);
  }
  for (const { utcDay, ranks } of days) sums.addEstimate(utcDay, estimateOf(ranks));
  return sums;
}

/** The keys that a breakdown by outcome or by a dimension of people needs. */
async function dimensionSums(
  clickHouse: Pick<ClickHouse, "rows">,
  scope: ClickScope,
  range: ClickRange,
  by: ClickBreakdown,
): Promise<ReadonlyMap<string, number>> {
  if (by === "class" || by === "link") return new Map();
  const prefix = by === "outcome" ? OUTCOME_PREFIX : dimensionPrefix(by);
  const counts = await countsByKey(clickHouse, scope, range, { prefix, limit: MAX_PARTS });
  return new Map(counts.map(({ key, clicks }) => [key, clicks]));
}
