import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { QuietHours } from "@tapthru/proto/webhooks";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Due } from "../due.ts";
import type { LeaseEnd } from "./attempt-times.ts";

/** The lease of a webhook: until it ends, only one worker sends the due deliveries. */
const Lease = z.object({
  webhookId: z.int(),
  userId: z.int(),
  /** The address, or the origin of a chat whose address is encrypted. */
  url: z.string(),
  encryptedUrl: z.nullable(z.string()),
  quietHours: z.nullable(QuietHours),
  encryptedSecret: z.string(),
  /** Null unless it signs too. */
  encryptedPreviousSecret: z.nullable(z.string()),
  /** Leases without a successful attempt since the last one with a success. */
  failureCount: z.int(),
});
export type Lease = z.infer<typeof Lease>;

const LEASES_PER_USER = 2;
/** A lease sends one request after another, five a second at most. */
const LEASES_PER_RECEIVER = 2;
const WEBHOOK_FAILING_MAX_MS = 5 * 86_400_000;

/** The webhooks with pending deliveries and the time of the earliest one: one probe of the index for each. */
const pendingWebhooks = sql.fragment`
  first_pending AS (
    SELECT webhook_id, next_attempt_at FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
    ORDER BY webhook_id, next_attempt_at LIMIT 1
  ), pending AS (
    SELECT * FROM first_pending
    UNION ALL
    SELECT following.* FROM pending CROSS JOIN LATERAL (
      SELECT webhook_id, next_attempt_at FROM webhook_deliveries
      WHERE next_attempt_at IS NOT NULL AND webhook_id > pending.webhook_id
      ORDER BY webhook_id, next_attempt_at LIMIT 1
    ) AS following
  )
`;

const maySend = sql.fragment`
  webhook.disabled_at IS NULL AND NOT webhook.account_ended
  AND EXISTS (SELECT FROM users WHERE id = webhook.user_id AND state = 'enabled')
  AND (webhook.paused_until IS NULL OR webhook.paused_until <= now())
  AND NOT EXISTS (SELECT FROM account_deletions WHERE account_deletions.user_id = webhook.user_id)
`;

/** Leases the webhooks whose last lease was longest ago, and only some of each account and receiver, so that none delays the events of others. */
export function leaseWebhooks(db: Db<"any">, { limit, isNotQuarantined }: Due) {
  return db.any(sql.type(Lease)`
    WITH RECURSIVE ${pendingWebhooks}, leased AS (
      SELECT user_id, receiver FROM webhooks WHERE leased_until IS NOT NULL AND leased_until > now()
    ), candidate AS (
      SELECT webhook.id, webhook.served_at, receiver, (SELECT count(*) FROM leased WHERE leased.user_id = webhook.user_id)
        + row_number() OVER (PARTITION BY webhook.user_id ORDER BY webhook.served_at, webhook.id)
        AS leases_of_user
      FROM pending JOIN webhooks AS webhook ON webhook.id = pending.webhook_id
      WHERE pending.next_attempt_at <= now() AND ${maySend}
        AND (webhook.leased_until IS NULL OR webhook.leased_until <= now())
        AND ${isNotQuarantined(sql.fragment`webhook.id`)}
    ), of_users AS (
      SELECT *, (SELECT count(*) FROM leased WHERE leased.receiver = candidate.receiver)
        + row_number() OVER (PARTITION BY receiver ORDER BY leases_of_user, served_at, id) AS leases_of_receiver
      FROM candidate WHERE leases_of_user <= ${LEASES_PER_USER}
    ), chosen AS (
      SELECT id FROM of_users WHERE leases_of_receiver <= ${LEASES_PER_RECEIVER} ORDER BY served_at, id LIMIT ${limit}
    ), locked AS (
      SELECT id FROM webhooks
      WHERE id IN (SELECT id FROM chosen) AND (leased_until IS NULL OR leased_until <= now())
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE webhooks SET leased_until = now() + interval '90 seconds', served_at = now()
    FROM locked WHERE webhooks.id = locked.id
    RETURNING webhooks.id AS "webhookId", user_id AS "userId", url, encrypted_url AS "encryptedUrl", quiet_hours AS "quietHours",
      encrypted_secret AS "encryptedSecret",
      CASE WHEN previous_secret_until > now() THEN encrypted_previous_secret END AS "encryptedPreviousSecret",
      failure_count AS "failureCount"
  `);
}

/** Seconds since the oldest delivery that may be sent was due; 0 if there is none. */
export function findOldestDue(db: Db<"oneFirst">) {
  return db.oneFirst(sql.type(z.object({ seconds: z.number() }))`
    WITH RECURSIVE ${pendingWebhooks}
    SELECT coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float AS seconds
    FROM pending JOIN webhooks AS webhook ON webhook.id = pending.webhook_id
    WHERE next_attempt_at <= now() AND ${maySend}
  `);
}

export async function endLease(db: Db<"query">, webhookId: number, end: LeaseEnd): Promise<void> {
  const { outcome, disables, pausedUntil } = end;
  const reason = sql.fragment`CASE
    WHEN ${disables}::text IS NOT NULL THEN ${disables}
    WHEN failing_since < now() - ${milliseconds(WEBHOOK_FAILING_MAX_MS)} THEN 'failing'
  END`;
  const changes = {
    delivered: sql.fragment`, failing_since = NULL, failure_count = 0`,
    failed: sql.fragment`, failing_since = coalesce(failing_since, now()), failure_count = failure_count + 1,
      disabled_reason = CASE WHEN disabled_at IS NULL THEN ${reason} ELSE disabled_reason END,
      disabled_at = CASE WHEN ${reason} IS NOT NULL THEN coalesce(disabled_at, now()) ELSE disabled_at END`,
    unchanged: sql.fragment``,
  };
  await db.query(sql.type(z.object({}))`
    UPDATE webhooks SET leased_until = NULL, paused_until = to_timestamp(${pausedUntil}::float8 / 1000) ${changes[outcome]}
    WHERE id = ${webhookId}
  `);
}
