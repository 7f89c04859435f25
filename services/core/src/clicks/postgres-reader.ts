import type { ClickBreakdown } from "@tapthru/proto/clicks";
import { CLICK_CLASSES, classKey, dimensionPrefix, OPENED_KEY, PAGE_KEY, STAYED_KEY } from "@tapthru/proto/clicks/keys";
import type { Db } from "../platform/postgres/postgres.ts";
import { breakdown, isSummed, keySums, MAX_LINKS } from "./breakdown.ts";
import type { ClickReader, ClickScope } from "./click-reader.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import { exportedClicks } from "./exported-clicks.ts";
import { linkTotals, peopleByPeriod } from "./link-totals.ts";
import {
  clickRowsQuery,
  findLinksById,
  findTopLinkIds,
  peopleQuery,
  type ReadRange,
  rankQuery,
  userRowsQuery,
} from "./queries.ts";

const PERSON_KEYS = [classKey("person")];
const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY];
const OUTCOME_KEYS = [PAGE_KEY, STAYED_KEY];
const NO_LINKS = { byLink: new Map(), links: [] };

/** Adds up the packed rows of links, or of all links of a user. */
export function createPostgresClickReader(db: Db<"any">, reports: Db<"any"> = db): ClickReader {
  async function topLinks({ userId, ...scope }: ClickScope, { from, to }: ReadRange) {
    const people = peopleQuery({ userId, from, to });
    const linkIds = scope.linkIds ?? (await findTopLinkIds(reports, { people, limit: MAX_LINKS }));
    const rows = await reports.any(clickRowsQuery({ linkIds, keys: TOTAL_KEYS, from, to }));
    return {
      byLink: linkTotals(rows, { from, to }),
      links: await findLinksById(db, userId, linkIds),
    };
  }

  return {
    async count(scope, range, by) {
      const { userId, linkIds } = scope;
      const query = { from: range.from, to: range.to, ...keysFor(by) };
      const rows = await (linkIds === null
        ? db.any(userRowsQuery({ userId, ...query }))
        : db.any(clickRowsQuery({ linkIds, ...query })));
      const periods = new Periods(range);
      const sums = new ClickSums(periods);
      for (const row of rows) sums.add(row);
      const totals = sums.totals();
      const top = by === "link" ? await topLinks(scope, range) : NO_LINKS;
      return {
        totals,
        series: sums.byPeriod(),
        breakdown:
          by === undefined
            ? []
            : breakdown(by, {
                totals,
                sums: keySums(rows, periods, isSummed(by)),
                ...top,
              }),
      };
    },

    people: async (userId, { from, to }) => peopleQuery({ userId, from, to }),

    rank: async (userId, { from, to }, rank, limit) => rankQuery({ userId, from, to, rank, limit }),

    async peopleByPeriod(_userId, linkIds, range) {
      const { from, to } = range;
      const rows = await db.any(clickRowsQuery({ linkIds, keys: PERSON_KEYS, from, to }));
      return peopleByPeriod(rows, range);
    },

    export: (_userId, linkIds) => exportedClicks(db, linkIds),
  };
}

/** Of all keys of a user, which may be a thousand a day, those of the breakdown are read. */
function keysFor(by: ClickBreakdown | undefined): { keys: string[]; prefix?: string } {
  if (by === undefined || by === "class" || by === "link") return { keys: TOTAL_KEYS };
  if (by === "outcome") return { keys: [...TOTAL_KEYS, ...OUTCOME_KEYS] };
  return { keys: TOTAL_KEYS, prefix: dimensionPrefix(by) };
}
