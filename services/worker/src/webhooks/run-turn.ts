import type { WebhookSecrets } from "@tapthru/runtime/sealer";
import pLimit from "p-limit";
import type { CommonQueryMethods } from "slonik";
import { attemptDelayMs, webhookPauseMs } from "./delays.ts";
import {
  type AttemptResult,
  endTurn,
  failTurn,
  findDueDeliveries,
  releaseTurn,
  storeAttempt,
  type Turn,
} from "./queries.ts";
import { type SendDependencies, sendDelivery } from "./send-delivery.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

/** A turn begins no attempt after this time, and sends at most this many deliveries. */
const TURN_MS = 5_000;
const TURN_DELIVERIES = 100;
/** Requests to one webhook at once. */
const REQUESTS_AT_ONCE = 4;

const GONE = 410;

export interface TurnDependencies extends SendDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  webhookSecrets: Pick<WebhookSecrets, "open">;
  webhookMetrics: Pick<WebhookMetrics, "countAttempt">;
}

/**
 * Sends due deliveries of one webhook, until one fails or the turn is over. A crash leaves those in progress pending, so
 * that they are sent again.
 * @param stopping no further attempt begins @param aborting attempts in progress end without a result
 */
export async function runTurn(
  deps: TurnDependencies,
  turn: Turn,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
): Promise<void> {
  const { db, webhookSecrets, webhookMetrics } = deps;
  const { webhookId, userId, url, sealedSecret, sealedPreviousSecret } = turn;
  const fail = (isGone: boolean) =>
    failTurn(db, { webhookId, pauseMs: webhookPauseMs(turn.failureCount + 1), isGone });
  let secrets: string[];
  try {
    secrets = [sealedSecret, sealedPreviousSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => webhookSecrets.open(sealed, userId));
  } catch (error) {
    await fail(false);
    throw error;
  }
  const endsAt = performance.now() + TURN_MS;
  const deliveries = await findDueDeliveries(db, webhookId, TURN_DELIVERIES);
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

  if (results.length === 0) await releaseTurn(db, webhookId);
  else if (results.some((result) => "status" in result && result.status === GONE)) await fail(true);
  else if (results.some(isDelivered)) await endTurn(db, webhookId);
  else await fail(false);
}

function isDelivered(result: AttemptResult): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}
