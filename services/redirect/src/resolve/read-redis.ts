import type { Logger } from "@tapthru/core/platform/logger";
import type { RedirectStore, StoredRecord } from "@tapthru/core/platform/redis/redirect-store";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import DataLoader from "dataloader";
import { type Link, linkFrom } from "../link.ts";
import type { Memory } from "./memory.ts";

interface Dependencies {
  redirectStore: Pick<RedirectStore, "getMany">;
  memory: Memory;
  logger: Logger;
}

/** Reads links from Redis, with one command for all codes requested within one turn of the event loop. */
export function createRedisLoader(deps: Dependencies): DataLoader<string, Link | null> {
  return new DataLoader((shortCodes) => readRedis(deps, shortCodes), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
}

/**
 * Reads links from Redis into memory. A link is null if Redis has no record, or one that is stale or became stale during
 * the read. Records of other releases are not put in memory. All are null if Redis is unavailable.
 */
export async function readRedis(deps: Dependencies, shortCodes: readonly string[]): Promise<readonly (Link | null)[]> {
  try {
    const records = await deps.redirectStore.getMany(shortCodes);
    return shortCodes.map((shortCode, i) => cacheRecord(deps, shortCode, records[i] ?? null));
  } catch (err) {
    if (!(err instanceof RedisUnavailableError)) {
      deps.logger.error({ event: "redirect_record_read_failed", err }, "failed to read redirect records");
    }
    return shortCodes.map(() => null);
  }
}

function cacheRecord({ memory, logger }: Dependencies, shortCode: string, record: StoredRecord | null): Link | null {
  if (record === null || record.revision < memory.minimumRevision(shortCode)) return null;
  const link = linkFrom(record);
  if (link === null) {
    logger.error({ event: "invalid_link_in_redis", shortCode }, "record in Redis does not lead to an Amazon store");
    return null;
  }
  if (record.isOfOtherRelease) return link;
  return memory.put(shortCode, link, performance.now()) ? link : null;
}
