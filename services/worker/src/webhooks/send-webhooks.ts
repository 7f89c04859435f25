import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { quietUntil } from "@tapthru/core/platform/quiet-hours";
import { pause } from "@tapthru/core/platform/waiting";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import type { DeliveryError } from "@tapthru/proto/webhooks";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import type { SentEvent } from "./alert.ts";
import { type AttemptResult, attemptDelayMs, endOf, isDelivered } from "./attempt-times.ts";
import { endLease, type Lease, leaseWebhooks } from "./queries.ts";
import { type Receiver, sendEvents } from "./send-events.ts";

/** During a lease no attempt begins after this time, and at most this many deliveries are sent. */
const SENDING_MS = 2_000;
const BATCH = 10;
/** Also before the lease ends. With two leases for each receiver it gets ten requests a second at most, two at once. */
const REQUEST_EVERY_MS = 200;

type SendApp = Pick<App, "db" | "logger" | "postWebhook" | "mailer" | "publicBaseUrl" | "webhookSecrets">;

/** Sends the events of webhooks. Each account gets leases like every other one, so that one with many events does not delay others. */
export const sendWebhooks = dueKind({
  everyMs: 1_000,
  atOnce: 32,
  claim: async ({ db, webhookSecrets }: SendApp, due) => (webhookSecrets === null ? [] : leaseWebhooks(db, due)),
  keyOf: ({ webhookId }) => webhookId,
  async work(app, lease, { signal, deadline }) {
    const { db, webhookSecrets } = app;
    const { webhookId, failureCount, quietHours } = lease;
    const quietEnd = quietHours && quietUntil(quietHours, Date.now());
    const end = (results: readonly AttemptResult[], isForPeople: boolean) =>
      endLease(db, webhookId, endOf(results, { failureCount, isForPeople, quietEnd }, Date.now()));
    let receiver: Receiver;
    try {
      receiver = receiverOf(lease, webhookSecrets);
    } catch (error) {
      await end([{ error: "unreachable" }], false);
      throw error;
    }
    const due = await findDueDeliveries(db, webhookId, quietEnd !== null);
    await end(await sendDue(app, receiver, due, { stopping: signal, aborting: deadline }), receiver.isForPeople);
  },
});

/** @throws if what is encrypted cannot be read */
function receiverOf(lease: Lease, secrets: App["webhookSecrets"]): Receiver {
  const { webhookId, userId, encryptedUrl, encryptedSecret, encryptedPreviousSecret } = lease;
  const decrypt = (encrypted: string) => secrets?.decrypt(encrypted, userId) ?? "";
  const url = encryptedUrl === null ? lease.url : decrypt(encryptedUrl);
  return {
    webhookId,
    userId,
    url,
    isForPeople: readerOf(url) !== null,
    secrets: [encryptedSecret, encryptedPreviousSecret].filter((encrypted) => encrypted !== null).map(decrypt),
  };
}

/**
 * Sends events, to people all in one message, until one fails or the time of the lease is over. A crash leaves those in progress
 * pending, so that they are sent again.
 * @param stopping no further attempt begins @param aborting attempts in progress end without a result
 */
async function sendDue(
  app: SendApp,
  receiver: Receiver,
  due: readonly Delivery[],
  { stopping, aborting }: Record<"stopping" | "aborting", AbortSignal>,
): Promise<readonly AttemptResult[]> {
  const endsAt = performance.now() + SENDING_MS;
  const results: AttemptResult[] = [];

  async function send(first: Delivery): Promise<void> {
    if (stopping.aborted || performance.now() >= endsAt || !results.every(isDelivered)) return;
    const sent = receiver.isForPeople ? due : [first];
    const events = sent.map((delivery) => eventOf(delivery, app.publicBaseUrl));
    const result = await sendEvents(app, receiver, { id: first.id, events }, aborting);
    if (result === null) return;
    results.push(result);
    for (const [index, delivery] of sent.entries()) {
      const isUnreadable = receiver.isForPeople && isDelivered(result) && events[index]?.readable === null;
      await storeAttempt(app.db, delivery, isUnreadable ? { ...result, error: "unreadable-event" } : result);
    }
  }

  for (const first of receiver.isForPeople ? due.slice(0, 1) : due)
    await Promise.all([send(first), pause(REQUEST_EVERY_MS, stopping)]);
  return results;
}

/** The same for each attempt. */
function eventOf({ type, data, createdAt }: Delivery, publicBaseUrl: string): SentEvent {
  const { shortCode } = data;
  const link = typeof shortCode === "string" && { shortUrl: shortUrl(publicBaseUrl, shortCode) };
  const body = { type, timestamp: new Date(createdAt).toISOString(), data: { ...data, ...link } };
  return { body, readable: z.safeParse(WebhookPayload, body).data ?? null };
}

const Delivery = z.object({
  id: z.uuid(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** Unix milliseconds. */
  createdAt: z.number(),
  failedAttempts: z.int(),
});
type Delivery = z.infer<typeof Delivery>;

function findDueDeliveries(db: Db<"any">, webhookId: number, isQuiet: boolean) {
  return db.any(sql.type(Delivery)`
    SELECT id, type, data, created_at AS "createdAt", attempt_count AS "failedAttempts"
    FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND next_attempt_at <= now()
      AND (type = 'test' OR NOT ${isQuiet})
    ORDER BY next_attempt_at LIMIT ${BATCH}
  `);
}

async function storeAttempt(
  db: Db<"query">,
  { id, failedAttempts }: Delivery,
  result: AttemptResult & { error?: DeliveryError },
): Promise<void> {
  const delay = isDelivered(result) || result.isFinal ? null : attemptDelayMs(failedAttempts + 1);
  const next = delay && sql.fragment`now() + ${milliseconds(Math.max(delay, result.retryAfterMs ?? 0))}`;
  await db.query(sql.type(z.object({}))`
    UPDATE webhook_deliveries SET
      attempt_count = attempt_count + 1,
      last_attempt_at = now(),
      delivered_at = CASE WHEN ${isDelivered(result)} THEN now() END,
      next_attempt_at = ${next},
      response_status = ${"status" in result ? result.status : null},
      error = ${result.error ?? null}
    WHERE id = ${id}
  `);
}
