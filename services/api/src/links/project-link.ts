import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";

/** Writes the redirect record at once. Failures are tolerated, because the relay writes it from the outbox too. */
export type ProjectLink = (
  shortCode: string,
  record: RedirectRecord,
  budget: RedisBudget,
) => Promise<void>;

export function createLinkProjector(
  store: Pick<RedirectStore, "put">,
  logger: Logger,
): ProjectLink {
  return async (shortCode, record, budget) => {
    try {
      await store.put(shortCode, record, budget);
    } catch (error) {
      if (error instanceof RedisUnavailableError) return;
      logger.error(
        { event: "redirect_record_write_failed", err: error },
        "failed to write redirect record",
      );
    }
  };
}
