import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { Logger } from "@tapthru/runtime/logger";
import { bestEffort } from "@tapthru/runtime/redis/best-effort";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";

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
    await bestEffort(store.put(shortCode, record, budget)).catch((err) => {
      logger.error(
        { event: "redirect_record_write_failed", err },
        "failed to write redirect record",
      );
    });
  };
}
