import type { WebhookSecrets } from "@tapthru/core/platform/sealer";
import pLimit from "p-limit";
import type { CommonQueryMethods } from "slonik";
import {
  type AttemptResult,
  endLease,
  failLease,
  findDueDeliveries,
  type Lease,
  releaseLease,
  storeAttempt,
} from "./queries.ts";
import { type SendDependencies, sendDelivery } from "./send-delivery.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after failed attempts that the Standard Webhooks specification suggests. */
const ATTEMPT_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

const FIRST_PAUSE_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/** Up to 10 % are added, so that deliveries that failed together are not attempted together. */
const JITTER = 0.1;

/** During a lease no attempt begins after this time, and at most this many deliveries are sent. */
const SENDING_MS = 5_000;
const BATCH = 100;
/** Requests to one webhook at once. */
const REQUESTS_AT_ONCE = 4;

const GONE = 410;

export interface DeliverDependencies extends SendDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  webhookSecrets: Pick<WebhookSecrets, "open">;
  webhookMetrics: Pick<WebhookMetrics, "countAttempt">;
}

/**
 * Sends due deliveries of one webhook, until one fails or the time of the lease is over. A crash leaves those in progress pending, so
 * that they are sent again.
 * @param stopping no further attempt begins @param aborting attempts in progress end without a result
 */
export async function deliverBatch(
  deps: DeliverDependencies,
  lease: Lease,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
): Promise<void> {
  const { db, webhookSecrets, webhookMetrics } = deps;
  const { webhookId, userId, url, sealedSecret, sealedPreviousSecret } = lease;
  const fail = (isGone: boolean) =>
    failLease(db, { webhookId, pauseMs: webhookPauseMs(lease.failureCount + 1), isGone });
  let secrets: string[];
  try {
    secrets = [sealedSecret, sealedPreviousSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => webhookSecrets.open(sealed, userId));
  } catch (error) {
    await fail(false);
    throw error;
  }
  const endsAt = performance.now() + SENDING_MS;
  const deliveries = await findDueDeliveries(db, webhookId, BATCH);
  const results: AttemptResult[] = [];
  const mayContinue = () =>
    !stopping.aborted && performance.now() < endsAt && results.every(isDelivered);

  const limit = pLimit(REQUESTS_AT_ONCE);
  await Promise.all(
    deliveries.map((delivery) =>
      limit(async () => {
        if (!mayContinue()) return;
        const result = await sendDelivery(deps, { url, secrets }, delivery, aborting);
        if (result === null) return;
        results.push(result);
        webhookMetrics.countAttempt(result);
        await storeAttempt(db, {
          deliveryId: delivery.id,
          result,
          isDelivered: isDelivered(result),
          nextAttemptInMs: isDelivered(result) ? null : attemptDelayMs(delivery.failedAttempts + 1),
        });
      }),
    ),
  );

  if (results.length === 0) await releaseLease(db, webhookId);
  else if (results.some((result) => "status" in result && result.status === GONE)) await fail(true);
  else if (results.some(isDelivered)) await endLease(db, webhookId);
  else await fail(false);
}

function isDelivered(result: AttemptResult): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}

/** The delay before the next attempt of a delivery; null after the last one. @param failed its failed attempts, from 1 */
export function attemptDelayMs(failed: number, random = Math.random): number | null {
  const delay = ATTEMPT_DELAYS_MS[failed - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random()));
}

/**
 * How long a failing webhook is paused, although events may be due.
 * @param failures leases without success in a row, from 1
 */
export function webhookPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}
