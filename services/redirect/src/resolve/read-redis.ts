import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import DataLoader from "dataloader";
import { type Link, linkFrom } from "../link.ts";
import type { Memory } from "./memory.ts";

interface Needs {
  redirectStore: Pick<RedirectStore, "getMany">;
  memory: Memory;
  logger: Logger;
}

/** Reads links from Redis: all codes that are requested within a turn of the event loop together. */
export function createRedisReads(needs: Needs): DataLoader<string, Link | null> {
  return new DataLoader((shortCodes) => readRedis(needs, shortCodes), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
}

/**
 * Reads links from Redis into memory. Null for each that Redis does not know or of which it says what
 * is older than what was heard, meanwhile included; for all of them when it is away.
 */
export async function readRedis(
  needs: Needs,
  shortCodes: readonly string[],
): Promise<readonly (Link | null)[]> {
  try {
    const records = await needs.redirectStore.getMany(shortCodes);
    return shortCodes.map((shortCode, i) => keep(needs, shortCode, records[i] ?? null));
  } catch (err) {
    if (!(err instanceof RedisUnavailableError)) {
      needs.logger.error(
        { event: "redirect_record_read_failed", err },
        "failed to read redirect records",
      );
    }
    return shortCodes.map(() => null);
  }
}

function keep(
  { memory, logger }: Needs,
  shortCode: string,
  record: RedirectRecord | null,
): Link | null {
  if (record === null || record.revision < memory.floors.of(shortCode)) return null;
  const link = linkFrom(record);
  if (link === null) {
    logger.error(
      { event: "invalid_link_in_redis", shortCode },
      "record in Redis does not lead to an Amazon store",
    );
    return null;
  }
  return memory.links.put(shortCode, link, performance.now()) ? link : null;
}
