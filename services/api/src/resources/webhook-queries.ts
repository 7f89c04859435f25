import { changed, deleted } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { type updateWebhook as call, Webhook } from "@tapthru/proto/webhooks";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

/** Deleting a batch takes well under the statement timeout. */
const DELIVERIES_PER_BATCH = 1_000;

export interface OwnWebhook {
  userId: number;
  id: number;
}

export const webhookColumns = sql.fragment`
  id, url, events, quiet_hours AS "quietHours", utc_text(created_at) AS "createdAt", utc_text(failing_since) AS "failingSince",
  CASE WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN failing_since IS NULL THEN 'works' ELSE 'failing' END AS state,
  CASE WHEN disabled_at IS NOT NULL THEN disabled_reason END AS "disabledReason",
  CASE WHEN previous_secret_until > now() THEN utc_text(previous_secret_until) END AS "previousSecretUntil"
`;

export function findWebhooks(db: Db<"any">, userId: number) {
  return db.any(sql.type(Webhook)`
    SELECT ${webhookColumns} FROM webhooks WHERE user_id = ${userId} ORDER BY id
  `);
}

export function changeWebhook(db: Db<"maybeOne">, which: FragmentSqlToken, changes: FragmentSqlToken) {
  return db.maybeOne(changing(Webhook)`
    WITH ${changed("webhook.changed", which)`${changes}`} SELECT ${webhookColumns} FROM object
  `);
}

/** Enabling, or new quiet hours, end the pauses of a webhook. */
export function updateWebhook(
  db: Db<"maybeOne">,
  { userId, id }: OwnWebhook,
  { events, enabled, quietHours }: z.infer<typeof call.body>,
): Promise<Webhook | null> {
  const isEnabled = sql.fragment`${enabled ?? null}::boolean`;
  const isQuietNew = quietHours !== undefined;
  return changeWebhook(
    db,
    sql.fragment`id = ${id} AND user_id = ${userId}`,
    sql.fragment`
      events = coalesce(${events ? sql.array(events, "text") : null}, events),
      quiet_hours = CASE WHEN ${isQuietNew} THEN ${sql.jsonb(quietHours ?? null)} ELSE quiet_hours END,
      disabled_at = CASE
        WHEN ${isEnabled} THEN NULL
        WHEN NOT ${isEnabled} THEN coalesce(disabled_at, now())
        ELSE disabled_at
      END,
      disabled_reason = CASE WHEN ${isEnabled} IS NULL THEN disabled_reason END,
      failing_since = CASE WHEN ${isEnabled} THEN NULL ELSE failing_since END,
      failure_count = CASE WHEN ${isEnabled} THEN 0 ELSE failure_count END,
      paused_until = CASE WHEN ${isEnabled} OR ${isQuietNew} THEN NULL ELSE paused_until END
    `,
  );
}

/** If it is interrupted, a disabled webhook is left. @returns whether the user had the webhook */
export async function removeWebhook(db: Db<"maybeOne" | "query">, webhook: OwnWebhook): Promise<boolean> {
  const { userId, id } = webhook;
  const disabled = await updateWebhook(db, webhook, { enabled: false });
  if (disabled === null) return false;
  let rowCount = DELIVERIES_PER_BATCH;
  while (rowCount === DELIVERIES_PER_BATCH) {
    ({ rowCount } = await db.query(sql.type(z.object({}))`
      DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE webhook_id = ${id}
        ORDER BY created_at LIMIT ${DELIVERIES_PER_BATCH}
      )
    `));
  }
  const removed = await db.maybeOne(changing(z.object({ id: z.int() }))`
    WITH ${deleted("webhook.deleted")`id = ${id} AND user_id = ${userId}`} SELECT id FROM object
  `);
  return removed !== null;
}
