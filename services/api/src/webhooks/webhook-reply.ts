import type { Webhook, WebhookDelivery } from "@tapthru/proto/http/webhooks";
import type { DeliveryRow, WebhookRow } from "./queries.ts";

export function webhookReply(row: WebhookRow): Webhook {
  const { createdAt, failingSince, isDisabled, previousSecretUntil, ...rest } = row;
  const enabledState = failingSince === null ? "works" : "failing";
  return {
    ...rest,
    state: isDisabled ? "disabled" : enabledState,
    createdAt: new Date(createdAt).toISOString(),
    failingSince: isoOrNull(failingSince),
    previousSecretUntil: isoOrNull(previousSecretUntil),
  };
}

export function deliveryReply(row: DeliveryRow): WebhookDelivery {
  const { createdAt, lastAttemptAt, nextAttemptAt, isDelivered, ...rest } = row;
  const endState = isDelivered ? "delivered" : "failed";
  return {
    ...rest,
    state: nextAttemptAt === null ? endState : "pending",
    createdAt: new Date(createdAt).toISOString(),
    lastAttemptAt: isoOrNull(lastAttemptAt),
    nextAttemptAt: isoOrNull(nextAttemptAt),
  };
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
