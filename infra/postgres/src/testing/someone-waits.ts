import { expect, vi } from "vitest";

/**
 * Until a statement waits for what a transaction holds.
 * @param rows asks within that transaction
 */
export async function waitForBlockedStatement(
  rows: (query: string) => Promise<unknown[]>,
): Promise<void> {
  await vi.waitFor(
    async () => {
      const locks = await rows(
        "SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid",
      );
      expect(locks).toHaveLength(1);
    },
    { timeout: 10_000, interval: 5 },
  );
}
