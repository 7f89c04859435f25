import {
  CLICK_CLASSES,
  classKey,
  OPENED_KEY,
  PAGE_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import type { ClickBreakdown } from "@tapthru/proto/http/clicks";
import type { Db } from "../postgres/postgres.ts";
import { breakdown, isSummed, keySums, MAX_PARTS } from "./breakdown.ts";
import type { ClickScope, ClickStore } from "./click-store.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import { exportedClicks, rangesOf, readLinkRows, utcDays } from "./link-rows.ts";
import { isWithin, linkTotals, peopleByPeriod } from "./link-totals.ts";
import {
  findLinksById,
  findOwnerDays,
  findTopLinkIds,
  type LinkClickRow,
  ownerRowsQuery,
  peopleQuery,
  type ReadRange,
} from "./queries.ts";

const PERSON_KEYS = [classKey("person")];
const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY];
const OUTCOME_KEYS = [PAGE_KEY, STAYED_KEY];
const NO_LINKS = { byLink: new Map(), links: [] };

/** Adds up the packed rows of links, and those of all links of a user on the days for which there are some. */
export function createPostgresClickStore(db: Db<"any">, reports: Db<"any"> = db): ClickStore {
  async function people(userId: number, range: ReadRange) {
    const ownerDays = await findOwnerDays(db, { userId, ...range });
    const whole = ownerDays.filter((day) => isWithin(day, range));
    const ranges = rangesOf(without(whole, range)).map(({ from, to }) => ({
      from: Math.max(from, range.from),
      to: Math.min(to, range.to),
    }));
    return peopleQuery({ userId, ownerDays: whole, ranges });
  }

  interface Read {
    ownerDays: readonly string[];
    linkRows: readonly LinkClickRow[];
  }

  async function topLinks(
    { userId, link }: ClickScope,
    range: ReadRange,
    { ownerDays, linkRows }: Read,
  ) {
    const linkIds =
      link === null
        ? await findTopLinkIds(reports, {
            people: await people(userId, range),
            limit: MAX_PARTS,
          })
        : [link.id];
    const { from, to } = range;
    const rows = linkRows.filter(({ linkId }) => linkIds.includes(linkId));
    const query = { userId, linkIds, ownerDays, rows, keys: TOTAL_KEYS, from, to };
    return {
      byLink: await linkTotals(reports, query),
      links: await findLinksById(db, userId, linkIds),
    };
  }

  return {
    async count(scope, range, by) {
      const { userId, link } = scope;
      const links = link === null ? { ofUser: userId } : [link.id];
      const { from, to } = range;
      const keys = keysFor(by);
      const ownerRows =
        link === null ? await db.any(ownerRowsQuery({ userId, from, to, keys })) : [];
      const ownerDays = ownerRows.map(({ start }) => start);
      const linkRows = await readLinkRows(db, { links, keys, days: without(ownerDays, range) });
      const rows = [...ownerRows, ...linkRows];
      const periods = new Periods(range);
      const sums = new ClickSums(periods);
      for (const row of rows) sums.add(row);
      const totals = sums.totals();
      const top = by === "link" ? await topLinks(scope, range, { ownerDays, linkRows }) : NO_LINKS;
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

    people,

    async peopleByPeriod(_userId, linkIds, range) {
      const rows = await readLinkRows(db, {
        links: linkIds,
        days: utcDays(range),
        keys: PERSON_KEYS,
      });
      return peopleByPeriod(rows, range);
    },

    export: (_userId, linkIds) => exportedClicks(db, linkIds),
  };
}

/** The other days of the range. */
function without(ownerDays: readonly string[], range: ReadRange): string[] {
  return utcDays(range).filter((day) => !ownerDays.includes(day));
}

/** Without a dimension few keys are read; null: all. */
function keysFor(by: ClickBreakdown | undefined): string[] | null {
  if (by === undefined || by === "class" || by === "link") return TOTAL_KEYS;
  return by === "outcome" ? [...TOTAL_KEYS, ...OUTCOME_KEYS] : null;
}
