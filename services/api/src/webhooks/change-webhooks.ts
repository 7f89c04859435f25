import { randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { WebhookSecrets } from "@tapthru/core/platform/sealer";
import type { createWebhook, Webhook, WebhookDelivery } from "@tapthru/proto/http/webhooks";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import {
  WEBHOOK_SECRET_PREFIX,
  type WebhookEvent,
  webhookTarget,
} from "@tapthru/proto/rules/webhooks";
import type * as z from "zod/mini";
import { findSessionUser, lockUser } from "../accounts/queries.ts";
import { ApiError, malformed } from "../errors.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import {
  countWebhooks,
  type DeliveryRow,
  deleteSomeDeliveries,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  type OwnWebhook,
  replaceSecret,
  replayDelivery,
  updateWebhook,
  type WebhookRow,
} from "./queries.ts";

const SECRET_BYTES = 32;
/** Deleting a batch takes well under the statement timeout. */
const DELIVERIES_PER_BATCH = 1_000;

export interface WebhookDependencies {
  db: Db<"any" | "maybeOne" | "query" | "transaction">;
  /** Null: webhooks cannot be created. */
  webhookSecrets: WebhookSecrets | null;
  /** In local development the address of a server on this machine is allowed. */
  allowsLocalWebhooks: boolean;
}

/** @throws ApiError (webhooks-not-configured, webhook-url-refused, too-many-webhooks, login-required, invalid-body) */
export function addWebhook(
  { db, webhookSecrets, allowsLocalWebhooks }: WebhookDependencies,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  body: z.output<typeof createWebhook.body>,
): Promise<{ row: WebhookRow; secret: string }> {
  const { userId } = session;
  const { secret, sealedSecret } = newSecret(webhookSecrets, userId);
  const url = webhookTarget(body.url, { allowsLocal: allowsLocalWebhooks });
  if (url === null) throw new ApiError("webhook-url-refused");
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId);
    requireEvents(body.events, await findSessionUser(transaction, session));
    if ((await countWebhooks(transaction, userId)) >= WEBHOOKS_MAX_COUNT) {
      throw new ApiError("too-many-webhooks");
    }
    const row = await insertWebhook(transaction, {
      userId,
      url,
      events: body.events,
      sealedSecret,
    });
    return { row, secret };
  });
}

/** @throws ApiError (invalid-body) for an event of operators, as for one that does not exist */
export function requireEvents(
  events: readonly WebhookEvent[],
  { isOperator }: { isOperator: boolean },
): void {
  if (events.includes("link.reported") && !isOperator) throw malformed("events");
}

/**
 * Deletes a webhook and its events. If it is interrupted, a disabled webhook is left.
 * @returns whether the user had the webhook
 */
export async function removeWebhook(
  db: Db<"maybeOne" | "query">,
  webhook: OwnWebhook,
): Promise<boolean> {
  const disabled = await updateWebhook(db, webhook, { events: null, enabled: false });
  if (disabled === null) return false;
  const batch = { webhookId: webhook.id, limit: DELIVERIES_PER_BATCH };
  while ((await deleteSomeDeliveries(db, batch)) === DELIVERIES_PER_BATCH);
  return deleteWebhook(db, webhook);
}

/** @throws ApiError (webhook-not-found, webhook-secret-renewed, webhooks-not-configured) */
export async function renewSecret(
  { db, webhookSecrets }: Pick<WebhookDependencies, "db" | "webhookSecrets">,
  webhook: OwnWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  const { secret, sealedSecret } = newSecret(webhookSecrets, webhook.userId);
  const row = await replaceSecret(db, webhook, sealedSecret);
  if (row !== null) return { row, secret };
  await requireWebhook(db, webhook);
  throw new ApiError("webhook-secret-renewed");
}

/** @throws ApiError (webhook-not-found, webhook-disabled) */
export async function replay(
  { db }: Pick<WebhookDependencies, "db">,
  webhook: OwnWebhook,
  deliveryId: string,
): Promise<DeliveryRow> {
  const { isDisabled } = await requireWebhook(db, webhook);
  if (isDisabled) throw new ApiError("webhook-disabled");
  const delivery = await replayDelivery(db, { webhookId: webhook.id, deliveryId });
  if (delivery === null) throw new ApiError("webhook-not-found");
  return delivery;
}

/** @throws ApiError (webhook-not-found) */
export async function requireWebhook(db: Db<"maybeOne">, webhook: OwnWebhook): Promise<WebhookRow> {
  const row = await findWebhook(db, webhook);
  if (row === null) throw new ApiError("webhook-not-found");
  return row;
}

function newSecret(webhookSecrets: WebhookSecrets | null, userId: number) {
  if (webhookSecrets === null) throw new ApiError("webhooks-not-configured");
  const secret = WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  return { secret, sealedSecret: webhookSecrets.seal(secret, userId) };
}

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
