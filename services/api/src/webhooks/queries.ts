import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { DeliveryError, type WebhookDelivery } from "@tapthru/proto/http/webhooks";
import { WEBHOOK_LOG_MAX_COUNT, WEBHOOK_SECRET_OVERLAP_MS } from "@tapthru/proto/rules/limits";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { sql } from "slonik";
import * as z from "zod/mini";

/** Times are Unix milliseconds. */
const WebhookRow = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  createdAt: z.number(),
  failingSince: z.nullable(z.number()),
  isDisabled: z.boolean(),
  /** Null if it has passed. */
  previousSecretUntil: z.nullable(z.number()),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

const DeliveryRow = z.object({
  id: z.uuid(),
  type: z.enum(WEBHOOK_EVENTS),
  shortCode: z.nullable(z.string()),
  createdAt: z.number(),
  attempts: z.int(),
  lastAttemptAt: z.nullable(z.number()),
  nextAttemptAt: z.nullable(z.number()),
  isDelivered: z.boolean(),
  responseStatus: z.nullable(z.int()),
  error: z.nullable(DeliveryError),
});
export type DeliveryRow = z.infer<typeof DeliveryRow>;

export interface OwnWebhook {
  userId: number;
  id: number;
}

const webhookColumns = sql.fragment`
  id, url, events, created_at AS "createdAt", failing_since AS "failingSince",
  disabled_at IS NOT NULL AS "isDisabled",
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousSecretUntil"
`;
const deliveryColumns = sql.fragment`
  id, type, data->>'shortCode' AS "shortCode", created_at AS "createdAt",
  attempt_count AS attempts, last_attempt_at AS "lastAttemptAt",
  next_attempt_at AS "nextAttemptAt", delivered_at IS NOT NULL AS "isDelivered",
  response_status AS "responseStatus", error
`;

export function countWebhooks(db: Db<"oneFirst">, userId: number) {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM webhooks WHERE user_id = ${userId}
  `);
}

export interface NewWebhook {
  userId: number;
  url: string;
  events: readonly WebhookEvent[];
  sealedSecret: string;
}

export function insertWebhook(db: Db<"one">, { userId, url, events, sealedSecret }: NewWebhook) {
  return db.one(sql.type(WebhookRow)`
    INSERT INTO webhooks (user_id, url, events, sealed_secret)
    VALUES (${userId}, ${url}, ${sql.array([...events], "text")}, ${sealedSecret})
    RETURNING ${webhookColumns}
  `);
}

/** The user's webhooks, oldest first. */
export function findWebhooks(db: Db<"any">, userId: number) {
  return db.any(sql.type(WebhookRow)`
    SELECT ${webhookColumns} FROM webhooks WHERE user_id = ${userId} ORDER BY id
  `);
}

/** @returns null if the user has no such webhook */
export function findWebhook(db: Db<"maybeOne">, { userId, id }: OwnWebhook) {
  return db.maybeOne(sql.type(WebhookRow)`
    SELECT ${webhookColumns} FROM webhooks WHERE id = ${id} AND user_id = ${userId}
  `);
}

/** Enabling ends the pauses of a failing webhook. Null changes nothing. */
export function updateWebhook(
  db: Db<"maybeOne">,
  { userId, id }: OwnWebhook,
  change: { events: readonly WebhookEvent[] | null; enabled: boolean | null },
): Promise<WebhookRow | null> {
  const { events, enabled } = change;
  const isEnabled = sql.fragment`${enabled}::boolean`;
  return db.maybeOne(sql.type(WebhookRow)`
    UPDATE webhooks SET
      events = coalesce(${events && sql.array([...events], "text")}, events),
      disabled_at = CASE
        WHEN ${isEnabled} THEN NULL
        WHEN NOT ${isEnabled} THEN coalesce(disabled_at, now())
        ELSE disabled_at
      END,
      failing_since = CASE WHEN ${isEnabled} THEN NULL ELSE failing_since END,
      failure_count = CASE WHEN ${isEnabled} THEN 0 ELSE failure_count END,
      paused_until = CASE WHEN ${isEnabled} THEN NULL ELSE paused_until END
    WHERE id = ${id} AND user_id = ${userId}
    RETURNING ${webhookColumns}
  `);
}

/** @returns how many were deleted; fewer than `limit` means that none are left */
export async function deleteSomeDeliveries(
  db: Db<"query">,
  { webhookId, limit }: { webhookId: number; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId}
      ORDER BY created_at LIMIT ${limit}
    )
  `);
  return rowCount;
}

/** @returns whether the user had the webhook */
export async function deleteWebhook(
  db: Db<"maybeOne">,
  { userId, id }: OwnWebhook,
): Promise<boolean> {
  const deleted = await db.maybeOne(sql.type(z.object({ id: z.int() }))`
    DELETE FROM webhooks WHERE id = ${id} AND user_id = ${userId} RETURNING id
  `);
  return deleted !== null;
}

/** @returns null if the user has no such webhook, or its secret before is still in use */
export function replaceSecret(
  db: Db<"maybeOne">,
  { userId, id }: OwnWebhook,
  sealedSecret: string,
) {
  return db.maybeOne(sql.type(WebhookRow)`
    UPDATE webhooks SET
      sealed_previous_secret = sealed_secret,
      previous_secret_until = now() + ${milliseconds(WEBHOOK_SECRET_OVERLAP_MS)},
      sealed_secret = ${sealedSecret}
    WHERE id = ${id} AND user_id = ${userId}
      AND (previous_secret_until IS NULL OR previous_secret_until <= now())
    RETURNING ${webhookColumns}
  `);
}

const CONDITION_OF_STATE = {
  pending: sql.fragment`next_attempt_at IS NOT NULL`,
  delivered: sql.fragment`next_attempt_at IS NULL AND delivered_at IS NOT NULL`,
  failed: sql.fragment`next_attempt_at IS NULL AND delivered_at IS NULL`,
} satisfies Record<WebhookDelivery["state"], unknown>;

/** The latest events of a webhook, newest first. @param state null: all */
export function findDeliveries(
  db: Db<"any">,
  webhookId: number,
  state: WebhookDelivery["state"] | null,
): Promise<readonly DeliveryRow[]> {
  const condition = state === null ? sql.fragment`true` : CONDITION_OF_STATE[state];
  return db.any(sql.type(DeliveryRow)`
    SELECT ${deliveryColumns} FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} AND ${condition}
    ORDER BY created_at DESC, id LIMIT ${WEBHOOK_LOG_MAX_COUNT}
  `);
}

/** Makes an event due. @returns null if the webhook has no such event */
export function replayDelivery(
  db: Db<"maybeOne">,
  { webhookId, deliveryId }: { webhookId: number; deliveryId: string },
) {
  return db.maybeOne(sql.type(DeliveryRow)`
    UPDATE webhook_deliveries SET next_attempt_at = now(), attempt_count = 0, delivered_at = NULL
    WHERE id = ${deliveryId} AND webhook_id = ${webhookId}
    RETURNING ${deliveryColumns}
  `);
}
