import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { quietUntil } from "@tapthru/core/platform/quiet-hours";
import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { WebhookSecrets } from "@tapthru/core/platform/sealer";
import { WEBHOOK_FAILING_MAX_MS } from "@tapthru/proto/rules/limits";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { WebhookPayload } from "@tapthru/proto/webhooks";
import pLimit from "p-limit";
import { sql } from "slonik";
import { Webhook } from "standardwebhooks";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { chatBody, sendEmail } from "./alert.ts";
import type { AttemptResult, Lease } from "./queries.ts";

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

/** After a message to people further events are collected. */
const PEOPLE_PAUSE_MS = 5 * MINUTE_MS;

const GONE = 410;

export type DeliverApp = Pick<App, "db" | "postWebhook" | "mailer" | "publicBaseUrl" | "countAttempt"> & {
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
  const { db, webhookSecrets, countAttempt } = app;
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
  const isForPeople = readerOf(url) !== null;
  const quietEnd = lease.quietHours && quietUntil(lease.quietHours, Date.now());
  const deliveries = await findDueDeliveries(db, webhookId, BATCH, quietEnd !== null);
  const first = isForPeople ? deliveries.slice(0, 1) : deliveries;
  const results: AttemptResult[] = [];
  const mayContinue = () => !stopping.aborted && performance.now() < endsAt && results.every(isDelivered);

  const limit = pLimit(REQUESTS_AT_ONCE);
  await Promise.all(
    first.map((delivery) =>
      limit(async () => {
        if (!mayContinue()) return;
        const sent = isForPeople ? deliveries : [delivery];
        const result = await sendDeliveries(app, { webhookId, url, secrets }, sent, aborting);
        if (result === null) return;
        results.push(result);
        countAttempt(result);
        for (const { id, failedAttempts } of sent) {
          const nextAttemptInMs = isDelivered(result) ? null : attemptDelayMs(failedAttempts + 1);
          await storeAttempt(db, { deliveryId: id, result, isDelivered: isDelivered(result), nextAttemptInMs });
        }
      }),
    ),
  );

  if (results.length === 0) await releaseLease(db, webhookId, quietEnd);
  else if (results.some((result) => "status" in result && result.status === GONE)) await fail(true);
  else if (results.some(isDelivered))
    await endLease(db, webhookId, quietEnd ?? (isForPeople ? Date.now() + PEOPLE_PAUSE_MS : null));
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

interface Receiver {
  webhookId: number;
  url: string;
  /** The current one, and during a renewal the one before. */
  secrets: readonly string[];
}

/** Sends one attempt of a delivery, signed with each secret; to people, of several. @returns null if it was aborted */
async function sendDeliveries(
  app: DeliverApp,
  { webhookId, url, secrets }: Receiver,
  deliveries: readonly Delivery[],
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const { postWebhook, publicBaseUrl } = app;
  const bodies = deliveries.map((delivery) => deliveryBody(delivery, publicBaseUrl));
  const reader = readerOf(url);
  const parsed = reader === null ? [] : bodies.map((text) => z.safeParse(WebhookPayload, JSON.parse(text)).data);
  const events = parsed.filter((event) => event !== undefined);
  if (reader === "email") return sendEmail(app, webhookId, events);
  const body = reader === null ? bodies.join("") : JSON.stringify(chatBody(new URL(url), events, publicBaseUrl));
  const id = deliveries[0]?.id ?? "";
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  try {
    return { status: await postWebhook({ url, headers, body, deadline: signal }) };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return signal.aborted ? null : { error: error.code };
  }
}

/** The same for each attempt. */
function deliveryBody({ type, data, createdAt }: Delivery, publicBaseUrl: string): string {
  const { shortCode } = data;
  const link = typeof shortCode === "string" && { shortUrl: shortUrl(publicBaseUrl, shortCode) };
  return JSON.stringify({
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: { ...data, ...link },
  });
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
  /** Null: no further attempt. */
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

/** A lease that took longer was slow. */
const SLOW_LEASE_MS = 2_000;

const wasSlow = sql.fragment`served_at < now() - ${milliseconds(SLOW_LEASE_MS)}`;

/** @param time Unix milliseconds */
const timeOf = (time: number | null) => sql.fragment`to_timestamp(${time}::float8 / 1000)`;

/** Ends a lease in which an attempt succeeded. */
async function endLease(db: Db<"query">, webhookId: number, pausedUntil: number | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET
      leased_until = NULL, last_turn_was_slow = ${wasSlow},
      failing_since = NULL, failure_count = 0, paused_until = ${timeOf(pausedUntil)}
    WHERE id = ${webhookId}
  `);
}

/** Ends a lease in which no attempt succeeded. @param isGone the receiver does not want any more events */
async function failLease(
  db: Db<"query">,
  { webhookId, pauseMs, isGone }: { webhookId: number; pauseMs: number; isGone: boolean },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET
      leased_until = NULL,
      last_turn_was_slow = ${wasSlow},
      failing_since = coalesce(failing_since, now()),
      failure_count = failure_count + 1,
      paused_until = now() + ${milliseconds(pauseMs)},
      disabled_at = CASE
        WHEN ${isGone} OR failing_since < now() - ${milliseconds(WEBHOOK_FAILING_MAX_MS)}
        THEN coalesce(disabled_at, now()) ELSE disabled_at
      END
    WHERE id = ${webhookId}
  `);
}

/** Ends a lease without an attempt. */
async function releaseLease(db: Db<"query">, webhookId: number, pausedUntil: number | null): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE webhooks SET leased_until = NULL, paused_until = ${timeOf(pausedUntil)} WHERE id = ${webhookId}
  `);
}
