import { hash } from "node:crypto";
import type { Logger } from "@tapthru/core/platform/logger";
import { parseJson } from "@tapthru/core/platform/parse-json";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { Resolution } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { notAShortLink } from "@tapthru/proto/resolve-link";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { shortLinkFailed, shortLinkTooSlow, unusableLink } from "@tapthru/proto/rules/link-errors";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

/** The owner of a short link cannot change where it leads. */
const RESOLVED_LIFETIME_S = 30 * 24 * 60 * 60;
const FAILED_LIFETIME_S = 5 * 60;

const FAILURE = { host: z.optional(z.string()), reason: z.optional(z.string()) };

/** Temporary failures are not cached. */
const CacheableResolution = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("resolved"),
    url: z.string().check(z.refine((url) => parseStorePage(url) !== null)),
  }),
  z.object({ kind: z.literal("leads-elsewhere") }),
  z.object({ kind: z.literal("bad-response"), permanent: z.literal(true), ...FAILURE }),
]);

/** Caches resolutions in Redis. While Redis is unavailable every link is followed. */
export function cacheResolutions({
  redis,
  follow,
  logger,
}: {
  redis: Pick<RequestRedis, "run">;
  follow(url: string): Promise<Resolution>;
  logger: Logger;
}) {
  async function read(key: string, budget: RedisBudget | undefined): Promise<Resolution | null> {
    const text = await redis.run((client) => client.get(key), budget);
    return text === null ? null : (z.safeParse(CacheableResolution, parseJson(text)).data ?? null);
  }

  async function store(key: string, resolution: Resolution): Promise<void> {
    if (!z.safeParse(CacheableResolution, resolution).success) return;
    const lifetime = resolution.kind === "resolved" ? RESOLVED_LIFETIME_S : FAILED_LIFETIME_S;
    await redis.run((client) => client.set(key, JSON.stringify(resolution), "EX", lifetime));
  }

  function logError(err: unknown): null {
    logger.error({ event: "resolution_cache_failed", err }, "failed to use cached resolutions");
    return null;
  }

  return async (url: string, budget?: RedisBudget): Promise<Resolution> => {
    const link = parseAmazonUrl(url);
    if (link.kind !== "short") return { kind: "not-short" };
    const key = resolutionKey(link.url);
    const cached = await bestEffort(read(key, budget)).catch(logError);
    if (cached !== null) return cached;
    const resolution = await follow(link.url);
    void bestEffort(store(key, resolution)).catch(logError);
    return resolution;
  };
}

/** Hashed, because a pasted link may contain personal data. */
export function resolutionKey(url: string): string {
  return `short-link:${hash("sha256", url, "base64url")}`;
}

/** @throws ApiError if the short link led to no store page */
export function resolvedUrl(resolution: Resolution): string {
  switch (resolution.kind) {
    case "resolved":
      return resolution.url;
    case "not-short":
      throw new ApiError(notAShortLink);
    case "leads-elsewhere":
      throw new ApiError(unusableLink);
    case "bad-response":
      throw new ApiError(shortLinkFailed, {
        cause: new Error("Failed to resolve Amazon short link", { cause: failure(resolution) }),
      });
    case "too-slow":
      throw new ApiError(shortLinkTooSlow, {
        cause: new Error("Server failed to resolve the short link", { cause: failure(resolution) }),
      });
  }
}

/** For the log: the address itself may contain personal data. */
function failure(resolution: Extract<Resolution, { host?: unknown }>): Error {
  const { kind, host, reason } = { reason: undefined, ...resolution };
  return new Error([kind, host, reason].filter(Boolean).join(", "));
}
