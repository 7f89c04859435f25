import { randomBytes, randomUUID } from "node:crypto";
import { inserted } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import type { WebhookEvent } from "@tapthru/proto/events";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { readerOf, shownUrl, WEBHOOK_SECRET_PREFIX, webhookTarget } from "@tapthru/proto/rules/webhooks";
import { isForOperators } from "@tapthru/proto/webhook-events";
import * as calls from "@tapthru/proto/webhooks";
import { Webhook, WebhookDelivery } from "@tapthru/proto/webhooks";
import { sql } from "slonik";
import { getDomain } from "tldts";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { memberOf } from "../callers/acting.ts";
import { handlers } from "../callers/handlers.ts";
import { findSessionUser, lockingUser, requireRoom } from "../callers/users.ts";
import { ApiError, malformed } from "../http/errors.ts";
import {
  changeWebhook,
  findWebhooks,
  type OwnWebhook,
  removeWebhook,
  updateWebhook,
  webhookColumns,
} from "./webhook-queries.ts";

export const WEBHOOK_LOG_MAX_COUNT = 100;
/** How long deliveries are also signed with the secret before the last renewal. */
const WEBHOOK_SECRET_OVERLAP_MS = 86_400_000;
const SECRET_BYTES = 32;

/** Emails go to addresses of their own. */
function receiverOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? (hostname || randomUUID());
}

/** None of these calls accepts an API key. */
export const webhookHandlers = handlers(calls, {
  createWebhook: async (api, { caller, userId, body: { url: address, events, quietHours = null } }) => {
    const { secret, encryptedSecret } = newSecret(api, userId);
    const url = webhookTarget(address, { allowsLocal: api.allowsLocalWebhooks });
    if (url === null) throw new ApiError(calls.webhookUrlRefused);
    const encryptedUrl = shownUrl(url) === url ? null : (api.webhookSecrets?.encrypt(url, userId) ?? null);
    const row = await lockingUser(api.db, userId, async (transaction) => {
      requireEvents(events, await findSessionUser(transaction, personOf(caller)));
      if (readerOf(url) === "email" && !(api.sendsEmails && (await hasVerifiedEmail(transaction, userId)))) {
        throw new ApiError(calls.webhookUrlRefused);
      }
      const own = sql.fragment`webhooks WHERE user_id = ${userId}`;
      await requireRoom(transaction, own, WEBHOOKS_MAX_COUNT, calls.tooManyWebhooks);
      return transaction.one(sql.type(Webhook)`
        WITH ${inserted(
          "webhook.created",
        )`(user_id, made_by, url, receiver, encrypted_url, events, quiet_hours, encrypted_secret)
          VALUES (
            ${userId}, ${memberOf(caller)}, ${shownUrl(url)}, ${receiverOf(url)}, ${encryptedUrl}, ${sql.array(events, "text")},
            ${quietHours && sql.jsonb(quietHours)}, ${encryptedSecret}
          )`}
        SELECT ${webhookColumns} FROM object
      `);
    });
    return { ...row, secret };
  },

  listWebhooks: ({ db }, { userId }) => findWebhooks(db, userId),

  updateWebhook: async ({ db }, { caller, userId, params: { id }, body }) => {
    if (body.events !== undefined) requireEvents(body.events, await findSessionUser(db, personOf(caller)));
    const row = await updateWebhook(db, { userId, id }, body);
    if (row === null) throw new ApiError(calls.webhookNotFound);
    return row;
  },

  deleteWebhook: async ({ db }, { userId, params: { id } }) => {
    if (!(await removeWebhook(db, { userId, id }))) throw new ApiError(calls.webhookNotFound);
    return {};
  },

  testWebhook: async ({ db }, { userId, params: { id } }) => {
    const { state } = await requireWebhook(db, { userId, id });
    if (state === "disabled") throw new ApiError(calls.webhookDisabled);
    const delivery = await db.maybeOne(changing(WebhookDelivery)`
      WITH resumed AS (UPDATE webhooks SET paused_until = NULL WHERE id = ${id} RETURNING id)
      INSERT INTO webhook_deliveries (webhook_id, type, data) SELECT id, 'test', '{}' FROM resumed
      RETURNING ${deliveryColumns}
    `);
    if (delivery === null) throw new ApiError(calls.webhookNotFound);
    return delivery;
  },

  renewWebhookSecret: async (api, { userId, params: { id } }) => {
    const { secret, encryptedSecret } = newSecret(api, userId);
    const row = await changeWebhook(
      api.db,
      sql.fragment`id = ${id} AND user_id = ${userId}
        AND (previous_secret_until IS NULL OR previous_secret_until <= now())`,
      sql.fragment`encrypted_previous_secret = encrypted_secret,
        previous_secret_until = now() + ${milliseconds(WEBHOOK_SECRET_OVERLAP_MS)},
        encrypted_secret = ${encryptedSecret}`,
    );
    if (row !== null) return { ...row, secret };
    await requireWebhook(api.db, { userId, id });
    throw new ApiError(calls.webhookSecretRenewed);
  },

  listWebhookDeliveries: async ({ db }, { userId, params: { id }, query: { state } }) => {
    await requireWebhook(db, { userId, id });
    const condition = state === undefined ? sql.fragment`true` : CONDITION_OF_STATE[state];
    return db.any(sql.type(WebhookDelivery)`
      SELECT ${deliveryColumns} FROM webhook_deliveries
      WHERE webhook_id = ${id} AND ${condition}
      ORDER BY created_at DESC, id LIMIT ${WEBHOOK_LOG_MAX_COUNT}
    `);
  },

  replayWebhookDelivery: async ({ db }, { userId, params: { id, deliveryId } }) => {
    const { state } = await requireWebhook(db, { userId, id });
    if (state === "disabled") throw new ApiError(calls.webhookDisabled);
    const delivery = await db.maybeOne(changing(WebhookDelivery)`
      UPDATE webhook_deliveries SET next_attempt_at = now(), attempt_count = 0, delivered_at = NULL
      WHERE id = ${deliveryId} AND webhook_id = ${id}
      RETURNING ${deliveryColumns}
    `);
    if (delivery === null) throw new ApiError(calls.webhookNotFound);
    return delivery;
  },
});

const deliveryColumns = sql.fragment`
  id, type, data->>'shortCode' AS "shortCode", utc_text(created_at) AS "createdAt", attempt_count AS attempts,
  utc_text(last_attempt_at) AS "lastAttemptAt", utc_text(next_attempt_at) AS "nextAttemptAt",
  CASE WHEN next_attempt_at IS NOT NULL THEN 'pending' WHEN delivered_at IS NULL THEN 'failed' ELSE 'delivered' END AS state,
  response_status AS "responseStatus", error
`;

const CONDITION_OF_STATE = {
  pending: sql.fragment`next_attempt_at IS NOT NULL`,
  delivered: sql.fragment`next_attempt_at IS NULL AND delivered_at IS NOT NULL`,
  failed: sql.fragment`next_attempt_at IS NULL AND delivered_at IS NULL`,
} satisfies Record<WebhookDelivery["state"], unknown>;

/** Alerts by email go to the account's own address. */
const hasVerifiedEmail = (db: Db<"exists">, userId: number) =>
  db.exists(sql.type(z.object({}))`SELECT FROM users WHERE id = ${userId} AND email_is_verified`);

const personOf = ({ personId: userId, firebaseUid }: { personId: number; firebaseUid: string }) => ({
  userId,
  firebaseUid,
});

/** Events of operators are for users who are operators themselves. @throws ApiError (invalid-body) as for one that does not exist */
function requireEvents(events: readonly WebhookEvent[], { isOperator }: { isOperator: boolean }): void {
  if (events.some(isForOperators) && !isOperator) throw malformed("events");
}

async function requireWebhook(db: Db<"maybeOne">, { userId, id }: OwnWebhook): Promise<Webhook> {
  const row = await db.maybeOne(sql.type(Webhook)`
    SELECT ${webhookColumns} FROM webhooks WHERE id = ${id} AND user_id = ${userId}
  `);
  if (row === null) throw new ApiError(calls.webhookNotFound);
  return row;
}

function newSecret({ webhookSecrets }: Pick<Api, "webhookSecrets">, userId: number) {
  if (webhookSecrets === null) throw new ApiError(calls.webhooksNotConfigured);
  const secret = WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  return { secret, encryptedSecret: webhookSecrets.encrypt(secret, userId) };
}
