import { expect, vi } from "vitest";

/**
 * Resolves when a statement waits for a lock of a transaction.
 * @param rows queries within that transaction
 */
export async function waitForBlockedStatement(rows: (query: string) => Promise<unknown[]>): Promise<void> {
  await vi.waitFor(
    async () => {
      const locks = await rows("SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid");
      expect(locks).toHaveLength(1);
    },
    { timeout: 60_000, interval: 5 },
  );
}
