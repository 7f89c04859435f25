import type { RowOutcomes } from "@tapthru/proto/clicks/batch";
import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { Opening } from "../visitor.ts";

export interface ReportedOutcome {
  outcome: Outcome["outcome"];
  opening: Opening;
  /** By the User-Agent of the report, which may contain any version. */
  appVersion: string | null;
}

/** Further versions count as unknown until the next call of `take`. */
const MAX_VERSIONS = 200;

/** The outcomes since the last call of `take`, by day, row of the strategy table and version of the app. */
export class OutcomeTally {
  #rows = new Map<string, RowOutcomes>();

  /** @param now Unix milliseconds */
  add({ outcome, opening, appVersion }: ReportedOutcome, now: number): void {
    const { strategy, tableVersion } = opening;
    const key = {
      day: new Date(now).toISOString().slice(0, 10),
      table: tableVersion,
      row: strategy.id,
      app: strategy.app,
      os: strategy.os,
    };
    this.#rowOf(key, mainVersion(appVersion))[outcome]++;
  }

  take(): RowOutcomes[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }

  #rowOf(
    key: Pick<RowOutcomes, "day" | "table" | "row" | "app" | "os">,
    reportedVersion: string,
  ): RowOutcomes {
    const name = Object.values(key).join(" ");
    const known = this.#rows.get(`${name} ${reportedVersion}`);
    if (known !== undefined) return known;
    const appVersion = this.#rows.size < MAX_VERSIONS ? reportedVersion : "";
    const counts = this.#rows.get(`${name} ${appVersion}`) ?? {
      ...key,
      appVersion,
      opened: 0,
      stayed: 0,
      unknown: 0,
    };
    this.#rows.set(`${name} ${appVersion}`, counts);
    return counts;
  }
}

/** The first number; empty if unknown or too long for one. */
export function mainVersion(version: string | null): string {
  return /^\d{1,4}(?=\.|$)/.exec(version ?? "")?.[0] ?? "";
}
