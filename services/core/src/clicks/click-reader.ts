import { setImmediate } from "node:timers/promises";
import type { ClickBreakdown, ClickReport, ClickTotals } from "@tapthru/proto/clicks";
import {
  CLICK_CLASSES,
  classKey,
  dimensionPrefix,
  keyName,
  OPENED_KEY,
  PAGE_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import { readSeries, sumOfSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import type { AccountExport } from "@tapthru/proto/own-account";
import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import type { Db } from "../platform/postgres/postgres.ts";
import { addKeySums, breakdown, isSummed, MAX_LINKS } from "./breakdown.ts";
import type { ClickRange } from "./click-range.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import {
  type ClickRow,
  clickRowsQuery,
  findLinksById,
  findTopLinkIds,
  type LinkClickRow,
  type LinkRowsQuery,
  type ReadRange,
  summedDays,
  userRowsQuery,
} from "./queries.ts";

const PERSON_KEYS = [classKey("person")];
const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY, STAYED_KEY];
const OUTCOME_KEYS = [PAGE_KEY];
/** Ten links of 800 days. A statement ends in time, also with sketches, which have up to 16 kB: then it has at most 13 MB. */
const rowsPerStatement = (hasSketches: boolean) => (hasSketches ? 200 : 8_000);
/** Other requests are served between two pieces. */
const ROWS_PER_PIECE = 50;
const DAY_MS = 86_400_000;
const NO_LINKS = { byLink: new Map(), links: [] };

/** Some links of a user; null: all that they have and had. */
export interface ClickScope {
  userId: number;
  linkIds: readonly number[] | null;
}

interface ClickCounts {
  totals: ClickTotals;
  series: ClickTotals[];
  breakdown: ClickReport["breakdown"];
}

export type ExportedClicks = AccountExport["links"][number]["clicks"];

export type ClickReader = ReturnType<typeof createClickReader>;

/** Adds up the packed rows of links, or of all links of a user. @param reports for what reads those of all links */
export function createClickReader(db: Db<"any">, reports: Db<"any"> = db) {
  async function topLinkIds({ userId, ...range }: ReadRange & { userId: number }) {
    const { range: summed } = await summedDays(reports, userId, range);
    return findTopLinkIds(reports, { userId, ...summed, limit: MAX_LINKS });
  }

  async function topLinks({ userId, ...scope }: ClickScope, { from, to }: ReadRange) {
    const linkIds = scope.linkIds ?? (await topLinkIds({ userId, from, to }));
    const byLink = new Map<number, ClickTotals>();
    for await (const rows of readLinks(reports, { linkIds, keys: TOTAL_KEYS, hasSketches: true, from, to })) {
      for (const [id, totals] of await linkTotals(rows, { from, to })) byLink.set(id, totals);
    }
    return { byLink, links: await findLinksById(db, userId, linkIds) };
  }

  return {
    /** @param what.hasVisitors false to read no sketches: all numbers of visitors are 0 then */
    async count(
      scope: ClickScope,
      range: ClickRange,
      by: ClickBreakdown | undefined,
      { hasVisitors } = { hasVisitors: true },
    ): Promise<ClickCounts> {
      const periods = new Periods(range);
      const sums = new ClickSums(periods);
      const byKey = new Map<string, number>();
      const query = { from: range.from, to: range.to, hasSketches: hasVisitors, ...keysFor(by) };
      for await (const rows of readDays(hasVisitors ? db : reports, scope, query)) {
        for (const row of rows) sums.add(row);
        if (by !== undefined) addKeySums(byKey, rows, periods, isSummed(by));
      }
      const result = sums.result();
      if (by === undefined) return { ...result, breakdown: [] };
      const top = by === "link" ? await topLinks(scope, range) : NO_LINKS;
      return { ...result, breakdown: breakdown(by, { totals: result.totals, sums: byKey, ...top }) };
    },

    async peopleByPeriod(linkIds: readonly number[], range: ClickRange): Promise<ReadonlyMap<number, number[]>> {
      const { from, to } = range;
      const people = new Map<number, number[]>();
      for await (const rows of readLinks(db, { linkIds, keys: PERSON_KEYS, hasSketches: false, from, to })) {
        for (const [id, counts] of peopleByPeriod(rows, range)) people.set(id, counts);
      }
      return people;
    },

    /** All clicks of links, by link and day in UTC. */
    async export(linkIds: readonly number[]): Promise<ReadonlyMap<number, ExportedClicks>> {
      const clicks = new Map<number, ExportedClicks>();
      for await (const rows of readLinks(db, { linkIds, from: 0, to: Date.now(), keys: null, hasSketches: false })) {
        for (const [id, own] of Map.groupBy(rows, ({ linkId }) => linkId)) clicks.set(id, exportedDays(own));
      }
      return clicks;
    },
  };
}

/** Yields the rows in pieces, in the order of their days. */
async function* readDays(
  db: Db<"any">,
  { userId, linkIds }: ClickScope,
  { from, to, ...query }: Omit<LinkRowsQuery, "linkIds">,
): AsyncGenerator<readonly ClickRow[]> {
  const days = Math.max(1, Math.floor(rowsPerStatement(query.hasSketches) / (linkIds?.length ?? 1)));
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += days * DAY_MS) {
    const part = { ...query, from: Math.max(from, day), to: Math.min(to, day + days * DAY_MS) };
    yield* inPieces(
      linkIds === null
        ? await db.any(userRowsQuery({ userId, ...part }))
        : await db.any(clickRowsQuery({ linkIds, ...part })),
    );
  }
}

/** Yields the rows of a few links at a time, all of each. */
async function* readLinks(
  db: Db<"any">,
  { linkIds, ...query }: LinkRowsQuery,
): AsyncGenerator<readonly LinkClickRow[]> {
  const days = Math.min((query.to - query.from) / DAY_MS, CLICKS_MAX_DAYS);
  const count = Math.max(1, Math.floor(rowsPerStatement(query.hasSketches) / days));
  for (let at = 0; at < linkIds.length; at += count) {
    yield db.any(clickRowsQuery({ ...query, linkIds: linkIds.slice(at, at + count) }));
  }
}

async function* inPieces<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_PIECE) {
    await setImmediate();
    yield rows.slice(at, at + ROWS_PER_PIECE);
  }
}

/** Reads only the keys of the breakdown: a user may have a thousand a day. */
function keysFor(by: ClickBreakdown | undefined): { keys: string[]; prefix?: string } {
  if (by === undefined || by === "class" || by === "link") return { keys: TOTAL_KEYS };
  if (by === "outcome") return { keys: [...TOTAL_KEYS, ...OUTCOME_KEYS] };
  return { keys: TOTAL_KEYS, prefix: dimensionPrefix(by) };
}

function exportedDays(rows: readonly ClickRow[]): ExportedClicks {
  return rows
    .map(({ day, counts }) => ({
      day,
      counts: Object.fromEntries(Object.entries(counts).map(([key, series]) => [keyName(key), sumOfSeries(series)])),
    }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

async function linkTotals(rows: readonly LinkClickRow[], range: ReadRange): Promise<Map<number, ClickTotals>> {
  const periods = new Periods({ ...range, starts: [range.from] });
  const totals = new Map<number, ClickTotals>();
  for (const [linkId, linkRows] of Map.groupBy(rows, (row) => row.linkId)) {
    const sums = new ClickSums(periods);
    for await (const piece of inPieces(linkRows)) for (const row of piece) sums.add(row);
    const { totals: sum } = sums.result();
    if (Object.values(sum).some((count) => count > 0)) totals.set(linkId, sum);
  }
  return totals;
}

function peopleByPeriod(rows: readonly LinkClickRow[], range: ClickRange): Map<number, number[]> {
  const periods = new Periods(range);
  const people = new Map<number, number[]>();
  for (const { linkId, day, counts } of rows) {
    const ofLink = people.get(linkId) ?? new Array<number>(periods.count).fill(0);
    people.set(linkId, ofLink);
    const firstQuarter = firstQuarterOf(day);
    readSeries(counts[classKey("person")] ?? "", (slot, count) => {
      const index = periods.indexOf(firstQuarter + slot);
      if (index !== undefined) ofLink[index] = (ofLink[index] ?? 0) + count;
    });
  }
  return people;
}
