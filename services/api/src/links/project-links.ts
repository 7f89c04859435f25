import type { Logger } from "@tapthru/core/platform/logger";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { CodeRecord, RedirectStore } from "@tapthru/core/platform/redis/redirect-store";

/** Writes redirect records at once. Failures are tolerated, because the relay writes them from the outbox too. */
export type ProjectLinks = (records: readonly CodeRecord[], budget: RedisBudget) => Promise<void>;

export function createLinkProjector(store: Pick<RedirectStore, "putMany">, logger: Logger): ProjectLinks {
  return async (records, budget) => {
    await bestEffort(store.putMany(records, budget)).catch((err) => {
      logger.error({ event: "redirect_record_write_failed", err }, "failed to write redirect records");
    });
  };
}
