import type { RowOutcomes } from "@tapthru/proto/clicks/batch";
import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";

/** The outcomes since the last call of `take`, by day and row of the strategy table. */
export class OutcomeTally {
  #rows = new Map<string, RowOutcomes>();

  /** @param now Unix milliseconds */
  add(outcome: Outcome["outcome"], { id: row, app, os }: AppOpeningStrategy, now: number): void {
    const day = new Date(now).toISOString().slice(0, 10);
    const name = `${day} ${row} ${app} ${os}`;
    const counts = this.#rows.get(name) ?? { day, row, app, os, opened: 0, stayed: 0, unknown: 0 };
    counts[outcome]++;
    this.#rows.set(name, counts);
  }

  take(): RowOutcomes[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }
}
