import type { WebhookSecrets } from "@tapthru/core/platform/cipher";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { quietUntil } from "@tapthru/core/platform/quiet-hours";
import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import { accountPath } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import type { DisabledReason } from "@tapthru/proto/webhooks";
import PQueue from "p-queue";
import { sql } from "slonik";
import { Webhook } from "standardwebhooks";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { chatBody, type SentEvent, sendEmail } from "./alert.ts";
import { attemptDelayMs, readRetryAfter, webhookPauseMs } from "./attempt-times.ts";
import type { AttemptResult, Lease } from "./queries.ts";

const WEBHOOK_FAILING_MAX_MS = 5 * 86_400_000;
/** During a lease no attempt begins after this time, and at most this many deliveries are sent. */
const SENDING_MS = 5_000;
const BATCH = 100;
const REQUESTS_AT_ONCE = 4;

/** After a message to people further events are collected. */
const PEOPLE_PAUSE_MS = 5 * 60_000;

const GONE = 410;
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

export type DeliverApp = Pick<App, "db" | "postWebhook" | "mailer" | "publicBaseUrl"> & {
  webhookSecrets: WebhookSecrets;
};

/**
 * Sends due deliveries of one webhook, until one fails or the time of the lease is over. A crash leaves those in progress pending, so
 * that they are sent again.
 * @param stopping no further attempt begins @param aborting attempts in progress end without a result
 */
export async function deliverBatch(
  app: DeliverApp,
  lease: Lease,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
): Promise<void> {
  const { db, webhookSecrets, publicBaseUrl } = app;
  const { webhookId, userId, encryptedUrl, encryptedSecret, encryptedPreviousSecret } = lease;
  const fail = (disables: DisabledReason | null) =>
    failLease(db, { webhookId, pauseMs: webhookPauseMs(lease.failureCount + 1), disables });
  let url: string;
  let secrets: string[];
  try {
    url = encryptedUrl === null ? lease.url : webhookSecrets.decrypt(encryptedUrl, userId);
    secrets = [encryptedSecret, encryptedPreviousSecret]
      .filter((encrypted) => encrypted !== null)
      .map((encrypted) => webhookSecrets.decrypt(encrypted, userId));
  } catch (error) {
    await fail(null);
    throw error;
  }
  const endsAt = performance.now() + SENDING_MS;
  const isForPeople = readerOf(url) !== null;
  const quietEnd = lease.quietHours && quietUntil(lease.quietHours, Date.now());
  const deliveries = await findDueDeliveries(db, webhookId, BATCH, quietEnd !== null);
  const first = isForPeople ? deliveries.slice(0, 1) : deliveries;
  const results: AttemptResult[] = [];
  const mayContinue = () => !stopping.aborted && performance.now() < endsAt && results.every(isDelivered);

  const queue = new PQueue({ concurrency: REQUESTS_AT_ONCE });
  await Promise.all(
    first.map((delivery) =>
      queue.add(async () => {
        if (!mayContinue()) return;
        const sent = isForPeople ? deliveries : [delivery];
        const events = sent.map((delivery) => eventOf(delivery, publicBaseUrl));
        const result = await sendEvents(app, { webhookId, userId, url, secrets, id: delivery.id }, events, aborting);
        if (result === null) return;
        results.push(result);
        for (const [index, { id, failedAttempts }] of sent.entries()) {
          const isUnreadable = isForPeople && events[index]?.readable === null;
          const delay = isDelivered(result) || result.isFinal ? null : attemptDelayMs(failedAttempts + 1);
          const nextAttemptInMs = delay && Math.max(delay, result.retryAfterMs ?? 0);
          const stored =
            isUnreadable && isDelivered(result) ? { ...result, error: "unreadable-event" as const } : result;
          await storeAttempt(db, { deliveryId: id, result: stored, isDelivered: isDelivered(result), nextAttemptInMs });
        }
      }),
    ),
  );

  const disables = results.find((result) => result.disables !== undefined)?.disables;
  const waitMs = Math.max(0, ...results.map(({ retryAfterMs }) => retryAfterMs ?? 0));
  const afterWait = (time: number | null) => (waitMs === 0 ? time : Math.max(Date.now() + waitMs, time ?? 0));
  if (results.length === 0) await releaseLease(db, webhookId, quietEnd);
  else if (disables !== undefined) await fail(disables);
  else if (results.some(isDelivered))
    await endLease(db, webhookId, afterWait(quietEnd ?? (isForPeople ? Date.now() + PEOPLE_PAUSE_MS : null)));
  else if (waitMs > 0) await releaseLease(db, webhookId, afterWait(quietEnd));
  else await fail(null);
}

function isDelivered(result: AttemptResult): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}

interface Receiver {
  webhookId: number;
  userId: number;
  url: string;
  /** The current one, and during a renewal the one before. */
  secrets: readonly string[];
  /** The id of the request, which is that of its first delivery. */
  id: string;
}

/** Sends one attempt of an event, signed with each secret; to people, of several. @returns null if it was aborted */
async function sendEvents(
  app: DeliverApp,
  { webhookId, userId, url, secrets, id }: Receiver,
  events: readonly SentEvent[],
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const { postWebhook, publicBaseUrl } = app;
  const site = publicBaseUrl + accountPath(userId, "");
  const reader = readerOf(url);
  if (reader === "email") return sendEmail(app, webhookId, events, site);
  const body = reader === null ? events[0]?.body : chatBody(new URL(url), events, site);
  const text = JSON.stringify(body);
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, text));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  try {
    const { status, retryAfter } = await postWebhook({ url, headers, body: text, deadline: signal });
    if (status === GONE) return { status, disables: "gone" };
    return { status, retryAfterMs: ASKS_TO_WAIT.has(status) ? readRetryAfter(retryAfter, Date.now()) : null };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return signal.aborted ? null : { error: error.code };
  }
}

/** The same for each attempt. */
function eventOf({ type, data, createdAt }: Delivery, publicBaseUrl: string): SentEvent {
  const { shortCode } = data;
  const link = typeof shortCode === "string" && { shortUrl: shortUrl(publicBaseUrl, shortCode) };
  const body = { type, timestamp: new Date(createdAt).toISOString(), data: { ...data, ...link } };
  return { body, readable: z.safeParse(WebhookPayload, body).data ?? null };
}

const Nothing = z.object({});

const Delivery = z.object({
  id: z.uuid(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** Unix milliseconds. */
  createdAt: z.number(),
  failedAttempts: z.int(),
});
type Delivery = z.infer<typeof Delivery>;

function findDueDeliveries(db: Db<"any">, webhookId: number, limit: number, isQuiet: boolean) {
  return db.any(sql.type(Delivery)`
    SELECT id, type, data, created_at AS "createdAt", attempt_count AS "failedAttempts"
    FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND next_attempt_at <= now()
      AND (type = 'test' OR NOT ${isQuiet})
    ORDER BY next_attempt_at LIMIT ${limit}
  `);
}

interface Attempt {
  deliveryId: string;
  result: AttemptResult;
  isDelivered: boolean;
  /** Null if there is no further attempt. */
  nextAttemptInMs: number | null;
}

async function storeAttempt(
  db: Db<"query">,
  { deliveryId, result, isDelivered, nextAttemptInMs }: Attempt,
): Promise<void> {
  const next = nextAttemptInMs === null ? sql.fragment`NULL` : sql.fragment`now() + ${milliseconds(nextAttemptInMs)}`;
  await db.query(sql.type(Nothing)`
    UPDATE webhook_deliveries SET
      attempt_count = attempt_count + 1,
      last_attempt_at = now(),
      delivered_at = CASE WHEN ${isDelivered} THEN now() END,
      next_attempt_at = ${next},
      response_status = ${"status" in result ? result.status : null},
      error = ${"error" in result ? result.error : null}
    WHERE id = ${deliveryId}
  `);
}

/** @param time Unix milliseconds */
const timeOf = (time: number | null) => sql.fragment`to_timestamp(${time}::float8 / 1000)`;

async function endLease(db: Db<"query">, webhookId: number, pausedUntil: number | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET
      leased_until = NULL, failing_since = NULL, failure_count = 0, paused_until = ${timeOf(pausedUntil)}
    WHERE id = ${webhookId}
  `);
}

/** Ends a lease in which no attempt succeeded. @param disables why the receiver does not want any more events */
async function failLease(
  db: Db<"query">,
  { webhookId, pauseMs, disables }: { webhookId: number; pauseMs: number; disables: DisabledReason | null },
): Promise<void> {
  const reason = sql.fragment`CASE
    WHEN ${disables}::text IS NOT NULL THEN ${disables}
    WHEN failing_since < now() - ${milliseconds(WEBHOOK_FAILING_MAX_MS)} THEN 'failing'
  END`;
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET
      leased_until = NULL,
      failing_since = coalesce(failing_since, now()),
      failure_count = failure_count + 1,
      paused_until = now() + ${milliseconds(pauseMs)},
      disabled_reason = CASE WHEN disabled_at IS NULL THEN ${reason} ELSE disabled_reason END,
      disabled_at = CASE WHEN ${reason} IS NOT NULL THEN coalesce(disabled_at, now()) ELSE disabled_at END
    WHERE id = ${webhookId}
  `);
}

async function releaseLease(db: Db<"query">, webhookId: number, pausedUntil: number | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET leased_until = NULL, paused_until = ${timeOf(pausedUntil)} WHERE id = ${webhookId}
  `);
}
