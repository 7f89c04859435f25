import { createPostgresClickReader } from "@tapthru/core/clicks/postgres-reader";
import type { PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import type { WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { expect, it, vi } from "vitest";
import type { Mail } from "../emails/mailer.ts";
import { checkFigures } from "../jobs/check-figures.ts";
import { finishImport } from "../jobs/run-import/queries.ts";
import { NEVER, useDatabase } from "../testing/test-database.ts";
import { addBusyLink, addEarnings } from "../testing/test-figures.ts";
import { addImport } from "../testing/test-imports.ts";
import { createTestMailer } from "../testing/test-mailer.ts";
import { addOwnLinks, addUser, addWebhook, testSecrets } from "../testing/test-webhooks.ts";
import { deliverBatch } from "./deliver-batch.ts";
import { leaseWebhooks } from "./queries.ts";

const database = await useDatabase();
const { db, rows } = database;
const { logger } = createTestLogger();

const addLink = (userId: number) => addOwnLinks(database, userId, { name: "lamp" });
const changeLink = (change: string) => async (userId: number) => {
  await addLink(userId);
  await rows(change);
};
const findFigures = () =>
  checkFigures({ db, logger, clickReader: createPostgresClickReader(db), clickHouse: null }, {}, { signal: NEVER });

/** What makes an event of each type; a missing one is a compile error. */
const MAKE: Record<WebhookEvent, (userId: number) => Promise<unknown>> = {
  "link.created": addLink,
  "link.changed": changeLink("UPDATE links SET nickname = 'Lamp'"),
  "link.deleted": changeLink("DELETE FROM links"),
  "link.unhealthy": changeLink("UPDATE link_health SET state = 'product-gone'"),
  "import.finished": async (userId) => {
    const id = await addImport(database, [{ url: "https://www.amazon.com/dp/B08N5WRWNW" }]);
    await rows("UPDATE imports SET user_id = $1", [userId]);
    await finishImport(db, id);
  },
  "domain.failing": async (userId) => {
    await rows("INSERT INTO domains (user_id, host, proof) VALUES ($1, 'go.t.example', '')", [userId]);
    await rows("SELECT report_failing_domain(id, 'no-record', now(), now()) FROM domains");
  },
  "channel.failing": (userId) =>
    rows(
      `SELECT report_failing_channel(id, 'de', current_date, current_date, 0.1, 0.9)
       FROM channels WHERE user_id = $1`,
      [userId],
    ),
  "clicks.unusual": async (userId) => {
    await addBusyLink(database, userId, "lamp", [200, 40, 50, 60, 50]);
    await findFigures();
  },
  "earnings.falling": async (userId) => {
    await addEarnings(database, userId, [...Array(7).fill(40), ...Array(28).fill(100)]);
    await findFigures();
  },
  "limit.reached": async (userId) => {
    await rows("INSERT INTO link_patterns (id, user_id, name) VALUES ('aaaaaaaaaaaa', $1, 'My blog')", [userId]);
    await rows("SELECT report_full_pattern('aaaaaaaaaaaa')");
  },
  "link.reported": async (userId) => {
    await addLink(userId);
    await rows("UPDATE users SET is_operator = true");
    await rows("INSERT INTO reports (short_code, reason) VALUES ('lamp1', 'spam')");
  },
};

const TYPES = Object.keys(MAKE) as WebhookEvent[];

it.each(TYPES)("%s is an event that people read as a sentence, in a chat and by email", async (type) => {
  const userId = await addUser(database);
  await rows("UPDATE users SET email_is_verified = true");
  for (const url of ["mailto:", "https://hooks.slack.com/services/x"]) {
    await addWebhook(database, userId, { url, events: [type] });
  }
  await MAKE[type](userId);
  const mails: { mail: Mail }[] = [];
  const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
  const countUnreadable = vi.fn();
  const app = {
    ...{ db, postWebhook, mailer: createTestMailer(mails as []), publicBaseUrl: "https://t.example" },
    ...{ webhookSecrets: testSecrets, countAttempt: () => {}, countUnreadable },
  };
  const leases = await leaseWebhooks(db, { limit: 2, perUser: 2, slowLimit: 2, leaseMs: 60_000 });
  for (const lease of leases) await deliverBatch(app, lease, { stopping: NEVER, aborting: NEVER });
  expect(countUnreadable).not.toHaveBeenCalled();
  const { text } = JSON.parse(String(postWebhook.mock.calls[0]?.[0].body));
  const subject = mails[0]?.mail.subject ?? "";
  expect(text.replaceAll("&lt;", "<")).toMatch(/^\S.+\. https:\/\/t\.example\/\S+$/);
  expect(text).toContain(subject);
  expect(subject).toMatch(/^\S.{10,}\.$/);
  expect(subject).not.toMatch(/NaN|undefined|null|\[object| {2}|An event of the type/);
  const stored = await rows("SELECT type, error, response_status FROM webhook_deliveries ORDER BY response_status");
  expect(stored).toEqual([200, 250].map((response_status) => ({ type, error: null, response_status })));
});
