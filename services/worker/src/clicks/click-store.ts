import type { ClickBatch } from "@tapthru/proto/clicks/batch";

/** Where clicks are counted. */
export interface ClickStore {
  /**
   * Adds batches to the counts. A batch that was applied before adds nothing, nor do clicks of links that were deleted.
   * What app-opening pages reported is in Postgres in any case.
   * @returns the number of rows that were written
   * @throws PostgresUnavailableError
   */
  apply(batches: readonly ClickBatch[]): Promise<number>;
  /** Follows deletions and claims of links, if the store does not do so itself. */
  followLinks(): Promise<void>;
}
