import { messages } from "@tapthru/proto/rules/messages";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import { Counter, Gauge, type Registry } from "prom-client";
import { ApiError } from "../errors.ts";
import { type CountedRequest, createRequestCounter } from "../http/request-counter.ts";

/** Limits how many links all visitors without an account create together. */
export interface AnonymousBudget {
  /** @throws ApiError (too-many-requests) if the budget of this minute is used up */
  take(request: CountedRequest): Promise<void>;
}

/** Counts in Redis for all replicas. While Redis is unavailable each replica may use half of the budget. */
export function createAnonymousBudget(options: {
  redis: Pick<RequestRedis, "run">;
  /** Null disables the limit. */
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
  const requests = createMetric(registry, perMinute);
  return {
    async take(request) {
      const outcome = await count?.("all", request);
      requests.inc({ outcome: outcome?.isExceeded ? "refused" : "accepted" });
      if (!outcome?.isExceeded) return;
      throw new ApiError("too-many-requests", {
        message: messages.tooManyAnonymousLinks,
        retryAfterSeconds: outcome.resetSeconds,
      });
    },
  };
}

function createMetric(registry: Registry, perMinute: number | null): Counter<"outcome"> {
  const registers = [registry];
  new Gauge({
    name: "tapthru_anonymous_creates_per_minute_max",
    help: "Links that all replicas may create per minute without an account (ANONYMOUS_CREATES_PER_MINUTE); 0 if unlimited",
    registers,
  }).set(perMinute ?? 0);
  const requests = new Counter({
    name: "tapthru_anonymous_creates_total",
    help: "Requests to create a link without an account, by outcome of the budget check",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["accepted", "refused"]) requests.inc({ outcome }, 0);
  return requests;
}
