import type { ClickBreakdown, ClickReport, ClickTotals } from "@tapthru/proto/clicks";
import type { AccountExport } from "@tapthru/proto/own-account";
import type { FragmentSqlToken } from "slonik";
import type { ClickRange } from "./click-range.ts";

export interface OwnLink {
  id: number;
  shortCode: string;
}

/** Some links of a user; null: all that they have and had. */
export interface ClickScope {
  userId: number;
  linkIds: readonly number[] | null;
}

interface ClickCounts {
  totals: ClickTotals;
  /** For each start of the range. */
  series: ClickTotals[];
  /** Most people first; empty without a dimension. */
  breakdown: ClickReport["breakdown"];
}

export type ExportedClicks = AccountExport["links"][number]["clicks"];

export type ClickRank = "people" | "last-day";

/** Where clicks are read from. Every store returns the same counts. */
export interface ClickReader {
  count(scope: ClickScope, range: ClickRange, by: ClickBreakdown | undefined): Promise<ClickCounts>;
  /**
   * A query of `link_id` and `people` of each link of a user with people on the days in UTC that have a part of the range, which
   * Postgres runs, as these may be very many.
   */
  people(userId: number, range: ClickRange): Promise<FragmentSqlToken>;
  /**
   * A query of `link_id` and `value`: the people, or the last day with people since 1970, of at most `limit` links with people on these
   * days. Of more, Postgres ranks those among the user's newest `limit` links, ClickHouse those with the largest values.
   */
  rank(userId: number, range: ClickRange, by: ClickRank, limit: number): Promise<FragmentSqlToken>;
  peopleByPeriod(userId: number, linkIds: readonly number[], range: ClickRange): Promise<ReadonlyMap<number, number[]>>;
  /** All clicks of some links of a user, by link and day in UTC. */
  export(userId: number, linkIds: readonly number[]): Promise<ReadonlyMap<number, ExportedClicks>>;
}
