import {
  CLICK_CLASSES,
  classKey,
  OPENED_KEY,
  PAGE_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import type { ClickBreakdown, ClickTotals } from "@tapthru/proto/http/clicks";
import type { Db } from "../postgres/postgres.ts";
import { breakdown, isSummed, keySums } from "./breakdown.ts";
import type { ClickStore } from "./click-store.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import { exportedClicks, readLinkRows, utcDays } from "./link-rows.ts";
import { linkTotals, peopleByPeriod } from "./link-totals.ts";
import { findLinksById, findOwnerDays, ownerRowsQuery, type ReadRange } from "./queries.ts";

const PERSON_KEYS = [classKey("person")];
const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY];
const OUTCOME_KEYS = [PAGE_KEY, STAYED_KEY];

/** Adds up the packed rows of links, and those of all links of a user on the days for which there are some. */
export function createPostgresClickStore(db: Db<"any">): ClickStore {
  return {
    async count({ userId, link }, range, by) {
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
      const byLink =
        by === "link"
          ? await linkTotals(db, {
              userId,
              links,
              ownerDays,
              rows: linkRows,
              keys: TOTAL_KEYS,
              from,
              to,
            })
          : new Map<number, ClickTotals>();
      return {
        totals,
        series: sums.byPeriod(),
        breakdown:
          by === undefined
            ? []
            : breakdown(by, {
                totals,
                sums: keySums(rows, periods, isSummed(by)),
                byLink,
                links: by === "link" ? await findLinksById(db, userId, [...byLink.keys()]) : [],
              }),
      };
    },

    async people(userId, range) {
      const { from, to } = range;
      const links = { ofUser: userId };
      const ownerDays = await findOwnerDays(db, { userId, from, to });
      const days = without(ownerDays, range);
      const rows = await readLinkRows(db, { links, days, keys: PERSON_KEYS });
      const query = { userId, links, ownerDays, rows, keys: PERSON_KEYS, from, to };
      const totals = await linkTotals(db, query);
      return new Map([...totals].map(([linkId, { person }]) => [linkId, person]));
    },

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
