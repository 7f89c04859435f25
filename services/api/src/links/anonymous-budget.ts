import { registerCounts, registerGauge } from "@tapthru/core/platform/metrics/metrics";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { tooManyRequests } from "@tapthru/proto/general-errors";
import type { Registry } from "prom-client";
import { ApiError } from "../http/errors.ts";
import { type CountedRequest, createRequestCounter } from "../http/request-counter.ts";

export interface AnonymousBudget {
  /** @throws ApiError if the budget of this minute is used up */
  take(request: CountedRequest): Promise<void>;
}

const KEY = "all";

/** Counts in Redis for all replicas. While Redis is unavailable each replica may use half of the budget. */
export function createAnonymousBudget(options: {
  redis: Pick<RequestRedis, "run">;
  /** There is no limit if it is null. */
  perMinute: number | null;
  registry: Registry;
}): AnonymousBudget {
  const { redis, perMinute, registry } = options;
  const count =
    perMinute === null
      ? null
      : createRequestCounter({
          redis,
          keyPrefix: "limit:anonymous-creates",
          points: perMinute,
          floor: Math.ceil(perMinute / 2),
        });
  registerGauge(
    registry,
    {
      name: "tapthru_anonymous_creates_per_minute_max",
      help: "Links that all replicas may create per minute without an account (ANONYMOUS_CREATES_PER_MINUTE); 0 if unlimited",
    },
    () => perMinute ?? 0,
  );
  const countOutcome = registerCounts(
    registry,
    {
      name: "tapthru_anonymous_creates_total",
      help: "Requests to create a link without an account, by outcome of the budget check",
      label: "outcome",
    },
    ["accepted", "refused"],
  );

  return {
    async take(request) {
      const counted = await count?.(KEY, request);
      if (!counted?.isExceeded) return countOutcome("accepted");
      countOutcome("refused");
      throw new ApiError(tooManyRequests, {
        message:
          "Too many links are being created without a confirmed account. Please log in, confirm your email address, or try again in a minute.",
        retryAfterSeconds: counted.resetSeconds,
      });
    },
  };
}
