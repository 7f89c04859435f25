import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { addUser, addWebhook } from "../../testing/test-webhooks.ts";
import { purgeWebhookDeliveries } from "./handler.ts";

const notAborted = new AbortController().signal;

let database: TestDatabase;
let webhookId: number;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  webhookId = await addWebhook(database, await addUser(database), { url: "https://t.example" });
});

const addDeliveries = (ages: readonly string[]) =>
  database.rows(
    `INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, created_at)
     SELECT $1, 'link.created', link_id, '{}', now() - age::interval
     FROM unnest($2::text[]) WITH ORDINALITY AS delivery (age, link_id)`,
    [webhookId, ages],
  );
const kept = async () =>
  (await database.rows("SELECT link_id::int AS id FROM webhook_deliveries ORDER BY link_id")).map(
    ({ id }) => id,
  );

it("deletes events older than 30 days, delivered or not", async () => {
  await addDeliveries(["31 days", "29 days", "40 days", "0"]);
  await purgeWebhookDeliveries(database, notAborted);
  expect(await kept()).toEqual([2, 4]);
});

it("keeps the latest events of a webhook with too many", async () => {
  await addDeliveries(["5 hours", "4 hours", "3 hours", "2 hours", "1 hour"]);
  await purgeWebhookDeliveries(database, notAborted, 3);
  expect(await kept()).toEqual([3, 4, 5]);
});
