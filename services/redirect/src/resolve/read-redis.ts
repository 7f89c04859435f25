import type { Logger } from "@tapthru/runtime/logger";
import type { RedirectStore } from "@tapthru/runtime/redirect-store";
import { RedisAwayError } from "@tapthru/runtime/redis";
import { type Link, linkFrom } from "../link.ts";
import { type Memory, newestRevision } from "./memory.ts";

interface Needs {
  redirectStore: Pick<RedirectStore, "get">;
  memory: Memory;
  logger: Logger;
}

/**
 * Reads a link from Redis into memory. Null when Redis does not know it, is away, or says what is
 * older than what was heard of it, meanwhile included.
 */
export async function readRedis(needs: Needs, shortCode: string): Promise<Link | null> {
  const { redirectStore, memory, logger } = needs;
  try {
    const record = await redirectStore.get(shortCode);
    if (record === null || record.revision < newestRevision(memory, shortCode)) return null;
    const link = linkFrom(record);
    if (link === null) logger.error({ shortCode }, "a record in Redis leads to no Amazon store");
    else memory.links.put(shortCode, link, performance.now());
    return link;
  } catch (err) {
    if (!(err instanceof RedisAwayError)) logger.error({ err }, "a redirect record cannot be read");
    return null;
  }
}
