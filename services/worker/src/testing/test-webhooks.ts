import { randomUUID } from "node:crypto";
import { createWebhookSecrets } from "@tapthru/core/platform/cipher";
import type { WebhookEvent } from "@tapthru/proto/events";
import { WEBHOOK_EVENTS } from "@tapthru/proto/webhook-events";
import type { TestDatabase } from "./test-database.ts";
import { TEST_SECRET, TEST_WEBHOOK_KEY } from "./test-receiver.ts";

export const testSecrets = createWebhookSecrets([TEST_WEBHOOK_KEY]);

/** Adds a user with an address such as anna@t.example. @returns their id */
export async function addUser(
  { rows }: Pick<TestDatabase, "rows">,
  name: string = randomUUID(),
  isVerified = false,
): Promise<number> {
  const [user] = await rows(
    `INSERT INTO users (username, email, firebase_uid, email_is_verified)
     VALUES ($1, $1 || '@t.example', $1, $2) RETURNING id`,
    [name, isVerified],
  );
  return Number(user?.id);
}

interface TestWebhook {
  url: string;
  secret?: string;
  events?: readonly WebhookEvent[];
}

/** @returns its id */
export async function addWebhook(
  { rows }: Pick<TestDatabase, "rows">,
  userId: number,
  { url, secret = TEST_SECRET, events = WEBHOOK_EVENTS }: TestWebhook,
): Promise<number> {
  const [webhook] = await rows(
    "INSERT INTO webhooks (user_id, url, events, encrypted_secret) VALUES ($1, $2, $3, $4) RETURNING id",
    [userId, url, events, testSecrets.encrypt(secret, userId)],
  );
  return Number(webhook?.id);
}

export async function addOwnLinks(
  { rows }: Pick<TestDatabase, "rows">,
  userId: number,
  { name, count = 1 }: { name: string; count?: number },
): Promise<void> {
  await rows(
    `WITH link AS (
       INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
       SELECT $2 || n, 'https://amazon.com/dp/B08N5WRWNW', 'https://amazon.com/dp/B08N5WRWNW',
         'https://t.example/redirect?product_id=B08N5WRWNW', $1
       FROM generate_series(1, $3) n
       RETURNING *
     )
     INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
     SELECT webhook.id, 'link.created', link.id, link_event_data(link)
     FROM link JOIN webhooks AS webhook USING (user_id)
     WHERE disabled_at IS NULL AND 'link.created' = ANY (events)`,
    [userId, name, count],
  );
}
