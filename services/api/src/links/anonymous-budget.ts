import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { tooManyRequests } from "@tapthru/proto/general-errors";
import { proofOfWorkRequired } from "@tapthru/proto/visitor";
import { Counter, Gauge, type Registry } from "prom-client";
import { ApiError } from "../http/errors.ts";
import { type CountedRequest, createRequestCounter } from "../http/request-counter.ts";

/** The share of ANONYMOUS_CREATES_PER_MINUTE after which a proof of work is required. */
export const PROOF_REQUIRED_AFTER = 0.5;

/** Limits how many links all visitors without an account create together. */
export interface AnonymousBudget {
  /**
   * Takes from the part of the budget for everyone, and once that is used up from the rest, which requires a proof of work.
   * @param acceptProof whether the request has one; it is then used up
   * @throws ApiError (proof-of-work-required, or too-many-requests if the budget of this minute is used up)
   */
  take(request: CountedRequest, acceptProof: () => Promise<boolean>): Promise<void>;
}

/** The outcomes of a request; `proof-required`: it may be repeated with a proof of work. */
const OUTCOMES = ["accepted", "proof-required", "refused"] as const;

const KEY_PREFIXES = { open: "limit:anonymous-creates", proved: "limit:proved-creates" };
const KEY = "all";

/** Counts in Redis for all replicas. While Redis is unavailable each replica may use half of the budget. */
export function createAnonymousBudget(options: {
  redis: Pick<RequestRedis, "run">;
  /** Null disables the limit. */
  perMinute: number | null;
  registry: Registry;
}): AnonymousBudget {
  const { redis, perMinute, registry } = options;
  const points = perMinute === null ? null : partsOf(perMinute);
  const counterOf = (part: keyof typeof KEY_PREFIXES) =>
    points &&
    createRequestCounter({
      redis,
      keyPrefix: KEY_PREFIXES[part],
      points: points[part],
      floor: Math.ceil(points[part] / 2),
    });
  const countOpen = counterOf("open");
  const countProved = counterOf("proved");
  const requests = createMetric(registry, perMinute);

  return {
    async take(request, acceptProof) {
      const open = await countOpen?.(KEY, request);
      if (!open?.isExceeded) return requests.inc({ outcome: "accepted" });
      if (!(await acceptProof())) {
        requests.inc({ outcome: "proof-required" });
        throw new ApiError(proofOfWorkRequired, { retryAfterSeconds: open.resetSeconds });
      }
      const proved = await countProved?.(KEY, request);
      if (!proved?.isExceeded) return requests.inc({ outcome: "accepted" });
      requests.inc({ outcome: "refused" });
      throw new ApiError(tooManyRequests, {
        message: "Too many links are being created without an account. Please log in, or try again in a minute.",
        retryAfterSeconds: proved.resetSeconds,
      });
    },
  };
}

/** The links of a minute that need no proof of work, and those that do. */
function partsOf(perMinute: number): { open: number; proved: number } {
  const open = Math.floor(perMinute * PROOF_REQUIRED_AFTER);
  return { open, proved: perMinute - open };
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
  for (const outcome of OUTCOMES) requests.inc({ outcome }, 0);
  return requests;
}
