import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import type { Logger } from "@tapthru/runtime/logger";
import { PostgresAwayError } from "@tapthru/runtime/postgres";
import type { RedirectStore } from "@tapthru/runtime/redirect-store";
import { RedisAwayError } from "@tapthru/runtime/redis";
import { type Link, type Lookup, linkFrom } from "./link.ts";

export interface Sources {
  redirectStore: RedirectStore;
  findRedirectRecord(shortCode: string): Promise<RedirectRecord | null>;
  logger: Logger;
}

export interface Resolution {
  source: "redis" | "postgres" | "none";
  lookup: Lookup;
}

/**
 * Asks Redis, then Postgres, whose answer is put back into Redis without waiting for it. What cannot
 * be a code is asked of nobody.
 */
export async function resolveCode(sources: Sources, shortCode: string): Promise<Resolution> {
  if (!SHORT_CODE_PATTERN.test(shortCode)) return { source: "none", lookup: { state: "unknown" } };
  const cached = await fromRedis(sources, shortCode);
  if (cached !== null) return { source: "redis", lookup: cached };

  let record: RedirectRecord | null;
  try {
    record = await sources.findRedirectRecord(shortCode);
  } catch (err) {
    if (!(err instanceof PostgresAwayError)) throw err;
    return { source: "none", lookup: { state: "unavailable" } };
  }
  if (record === null) return { source: "postgres", lookup: { state: "unknown" } };

  const link = linkFrom(record);
  if (link === null) {
    sources.logger.error({ shortCode }, "a link in Postgres leads to no Amazon store");
    return { source: "postgres", lookup: { state: "unknown" } };
  }
  void bestEffort(sources, sources.redirectStore.put(shortCode, record));
  return { source: "postgres", lookup: link };
}

async function fromRedis(sources: Sources, shortCode: string): Promise<Link | null> {
  const record = await bestEffort(sources, sources.redirectStore.get(shortCode));
  if (record === null) return null;
  const link = linkFrom(record);
  if (link === null) {
    sources.logger.error({ shortCode }, "a record in Redis leads to no Amazon store");
  }
  return link;
}

/** Redis is never needed. That it is away is logged once, by whoever keeps its breaker. */
async function bestEffort<T>({ logger }: Sources, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (err) {
    if (!(err instanceof RedisAwayError))
      logger.error({ err }, "a redirect record could not be read or put");
    return null;
  }
}
