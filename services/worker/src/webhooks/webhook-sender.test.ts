import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { createPostWebhook, type PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import type { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { createMailer, type Mail, type Mailer } from "../emails/mailer.ts";
import { registerMetrics } from "../metrics.ts";
import { makeFail, useDatabase } from "../testing/test-database.ts";
import { smtpError, startTestMailServer } from "../testing/test-mail-server.ts";
import { createTestMailer } from "../testing/test-mailer.ts";
import { startTestReceiver, type TestReceiver, verify } from "../testing/test-receiver.ts";
import { addOwnLinks, addUser, addWebhook, testSecrets } from "../testing/test-webhooks.ts";
import { createWebhookSender } from "./webhook-sender.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

const database = await useDatabase();
let receiver: TestReceiver;
let registry: Registry;
let lines: LogLine[];
let userId: number;
let running: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  receiver = await startTestReceiver();
  userId = await addUser(database);
});
afterEach(async () => {
  await Promise.all(running.map((sender) => sender.stop()));
  running = [];
  receiver.stop();
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});

const postLocally = createPostWebhook({ standInUrl: null, userAgent: "test", allowsLocal: true });

async function start({ postWebhook = postLocally, mailer = null as Mailer | null, leaseMs = 600_000 } = {}) {
  const log = createTestLogger();
  lines = log.lines;
  registry = createMetrics();
  const { db } = database;
  const sender = createWebhookSender(
    {
      db,
      postWebhook,
      mailer,
      publicBaseUrl: "https://t.example",
      webhookSecrets: testSecrets,
      ...registerMetrics(registry, { db, logger: log.logger }),
      logger: log.logger,
    },
    { pollMs: 10, leaseMs },
  );
  await sender.start?.();
  const started = { stop: async () => sender.stop?.() };
  running.push(started);
  return started;
}

/** A webhook, and links of its user. */
async function addEvents(count = 1): Promise<void> {
  await addWebhook(database, userId, { url: receiver.url });
  await addOwnLinks(database, userId, { name: "lamp", count });
}
const eventually = (check: () => unknown) => vi.waitFor(check, WAIT_OPTIONS);
const deliveries = () => database.rows("SELECT * FROM webhook_deliveries ORDER BY created_at");
const webhook = async () => (await database.rows("SELECT * FROM webhooks ORDER BY id"))[0];
const isDelivered = async (count: number) =>
  expect((await deliveries()).filter((row) => row.delivered_at !== null)).toHaveLength(count);
/** Quiet hours from an hour ago until in an hour. */
const quietHoursAround = (now: Date) => {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: at(-1), to: at(1), timeZone: "UTC" };
};
/** As after the pause. */
const makeDue = () =>
  database.rows(
    `WITH due AS (UPDATE webhook_deliveries SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL)
     UPDATE webhooks SET paused_until = NULL`,
  );

it("sends an event with a signature that the reference library verifies", async () => {
  await addWebhook(database, userId, { url: `${receiver.url}/hook?a=1` });
  await addOwnLinks(database, userId, { name: "lamp" });
  await start();
  await eventually(() => isDelivered(1));
  const [event] = receiver.received;
  if (event === undefined) throw new Error("nothing received");
  verify(event);
  expect(() => verify({ ...event, body: `${event.body} ` })).toThrow();
  const [row] = await deliveries();
  expect(event).toMatchObject({
    path: "/hook?a=1",
    id: row?.id,
    headers: { "content-type": "application/json", "user-agent": "test" },
    payload: {
      type: "link.created",
      timestamp: z.parse(z.date(), row?.created_at).toISOString(),
      data: { shortCode: "lamp1", shortUrl: "https://t.example/l/lamp1" },
    },
  });
  expect(row).toMatchObject({ response_status: 200, error: null, attempt_count: 1, next_attempt_at: null });
});

it("signs with the new and the previous secret until the previous one ends", async () => {
  const previous = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  await addWebhook(database, userId, { url: receiver.url });
  await database.rows(
    "UPDATE webhooks SET sealed_previous_secret = $1, previous_secret_until = now() + interval '1 hour'",
    [testSecrets.seal(previous, userId)],
  );
  await addOwnLinks(database, userId, { name: "lamp" });
  await start();
  await eventually(() => isDelivered(1));
  await database.rows("UPDATE webhooks SET previous_secret_until = now()");
  await addOwnLinks(database, userId, { name: "desk" });
  await eventually(() => isDelivered(2));
  const [during, after] = receiver.received;
  if (during === undefined || after === undefined) throw new Error("nothing received");
  verify(during);
  verify(during, previous);
  verify(after);
  expect(() => verify(after, previous)).toThrow();
});

it.each([
  ["120", 120],
  [new Date(Date.now() + 600_000).toUTCString(), 600],
  ["9999999", 24 * 3_600],
])("a receiver that asks to wait (%s) gets nothing before that, and is not failing", async (retryAfter, seconds) => {
  await addEvents();
  receiver.respond = (_event, response) => response.writeHead(429, { "retry-after": retryAfter }).end();
  await start();
  await eventually(async () => expect(await webhook()).toMatchObject({ paused_until: expect.any(Date) }));
  const [times = {}] = await database.rows(`
    SELECT extract(epoch FROM paused_until - now())::int AS paused, extract(epoch FROM next_attempt_at - now())::int AS next,
      failing_since, failure_count FROM webhooks, webhook_deliveries`);
  expect(times).toMatchObject({ failing_since: null, failure_count: 0 });
  for (const wait of [times.paused, times.next]) {
    expect(wait).toBeGreaterThan(seconds - 30);
    expect(wait).toBeLessThanOrEqual(seconds);
  }
});

it("an event is given up after the tenth attempt", async () => {
  await addEvents();
  await database.rows("UPDATE webhook_deliveries SET attempt_count = 9");
  receiver.respond = (_event, response) => response.writeHead(500).end();
  await start();
  const givenUp = { attempt_count: 10, next_attempt_at: null, delivered_at: null };
  await eventually(async () => expect((await deliveries())[0]).toMatchObject(givenUp));
});

it.each([500, 404, 302, 308])(
  "an event that is not confirmed, with the status %d, is sent again, with the same id and body",
  async (status) => {
    await addEvents();
    receiver.respond = (_event, response) =>
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    await start();
    await eventually(async () => expect(await webhook()).toMatchObject({ failure_count: 1 }));
    expect((await deliveries())[0]).toMatchObject({ response_status: status, attempt_count: 1 });
    expect(await webhook()).toMatchObject({ failing_since: expect.any(Date), disabled_at: null });
    receiver.respond = (_event, response) => response.end();
    await makeDue();
    await eventually(() => isDelivered(1));
    const [first, second, ...others] = receiver.received;
    expect([second?.id, second?.body, second?.path]).toEqual([first?.id, first?.body, "/"]);
    expect(others).toEqual([]);
    await eventually(async () => expect(await webhook()).toMatchObject({ failing_since: null, failure_count: 0 }));
  },
);

it("a webhook whose secret cannot be opened is failing, and is tried again after a pause", async () => {
  await addEvents();
  await database.rows("UPDATE webhooks SET sealed_secret = 'unreadable'");
  await start();
  await eventually(async () =>
    expect(await webhook()).toMatchObject({
      failing_since: expect.any(Date),
      failure_count: 1,
      paused_until: expect.any(Date),
      leased_until: null,
    }),
  );
  await eventually(() => expect(lines).toMatchObject([{ event: "item_failed", kind: "send-webhooks" }]));
  lines.length = 0;
  expect(receiver.received).toEqual([]);
});

it("a webhook that fails by an error of ours is set aside, and does not hold up others", async () => {
  const key = await addWebhook(database, userId, { url: `${receiver.url}/failing` });
  await addWebhook(database, userId, { url: `${receiver.url}/other` });
  await makeFail(database, "webhook_deliveries", { webhook_id: key, attempt_count: 1 });
  await start({ leaseMs: 50 });
  for (const [n, name] of ["lamp", "desk", "rug"].entries()) {
    await addOwnLinks(database, userId, { name });
    await eventually(() => isDelivered(n + 1));
    await eventually(() => expect(lines).toMatchObject([{ event: "item_failed", key }]));
  }
  lines.length = 0;
  expect(receiver.received.filter(({ path }) => path === "/failing")).toHaveLength(1);
});

describe("a webhook is disabled", () => {
  beforeEach(async () => {
    await addEvents(30);
  });

  it("when it has failed for five days", async () => {
    await database.rows("UPDATE webhooks SET failing_since = now() - interval '5 days 1 minute'");
    receiver.respond = (_event, response) => response.writeHead(500).end();
    await start();
    await eventually(async () => expect((await webhook())?.disabled_at).toBeInstanceOf(Date));
    const before = receiver.received.length;
    // It stops with the first failure, apart from the requests in progress.
    expect(before).toBeLessThanOrEqual(4);
    await makeDue();
    await addWebhook(database, await addUser(database), { url: receiver.url });
    await expectToBeIdle();
    expect(receiver.received).toHaveLength(before);
  });

  it("when the receiver responds with 410, also if it confirmed another event in the same lease", async () => {
    receiver.respond = (_event, response) => response.writeHead(receiver.received.length === 1 ? 200 : 410).end();
    await start();
    await eventually(async () => expect((await webhook())?.disabled_at).toBeInstanceOf(Date));
    expect(receiver.received.length).toBeLessThanOrEqual(5);
  });
});

/** Another account's event is sent: the sender has looked for work since. */
async function expectToBeIdle(): Promise<void> {
  const otherUser = await addUser(database);
  const other = await startTestReceiver();
  await addWebhook(database, otherUser, { url: other.url });
  await addOwnLinks(database, otherUser, { name: `idle${otherUser}-` });
  await eventually(() => expect(other.received).toHaveLength(1));
  other.stop();
}

it.each([
  ["disabled at the identity provider", "webhooks SET account_ended = ", "true", "false"],
  ["disabled by an operator", "users SET state = ", "'disabled'", "'enabled'"],
])("keeps the events of an account that is %s until it is enabled", async (_case, update, off, on) => {
  await addEvents();
  await database.rows(`UPDATE ${update} ${off}`);
  await start();
  await expectToBeIdle();
  expect(receiver.received).toEqual([]);
  await database.rows(`UPDATE ${update} ${on}`);
  await eventually(() => expect(receiver.received).toHaveLength(1));
});

it("sends nothing for an account that is being deleted, and deletes all with it", async () => {
  await addEvents();
  await database.rows("INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('u', $1)", [userId]);
  await start();
  await expectToBeIdle();
  expect(receiver.received).toEqual([]);
  await database.rows("DELETE FROM links WHERE user_id = $1", [userId]);
  await database.rows("DELETE FROM users WHERE id = $1", [userId]);
  expect(await database.rows("SELECT FROM webhooks WHERE user_id = $1", [userId])).toEqual([]);
  expect((await deliveries()).filter((row) => row.delivered_at === null)).toEqual([]);
});

it("an account with ten slow webhooks and 10,000 events delays no other account", async () => {
  const pending: (() => void)[] = [];
  receiver.respond = (_event, response) => pending.push(() => response.end());
  for (let i = 0; i < 10; i++) await addWebhook(database, userId, { url: `${receiver.url}/${i}` });
  await addOwnLinks(database, userId, { name: "import-", count: 1_000 });
  expect(await deliveries()).toHaveLength(10_000);
  await start();
  // Two of the ten webhooks are leased, each with four requests.
  await eventually(() => expect(pending).toHaveLength(8));
  await expectToBeIdle();
  await expectToBeIdle();
  expect(pending).toHaveLength(8);
  for (const respond of pending) respond();
  receiver.respond = (_event, response) => response.end();
});

it("any number of accounts with slow webhooks delay no other account", async () => {
  const pending: (() => void)[] = [];
  receiver.respond = (_event, response) => pending.push(() => response.end());
  await addEvents();
  await start();
  await eventually(() => expect(pending).toHaveLength(1));
  // As if the response had taken three seconds.
  await database.rows("UPDATE webhooks SET served_at = now() - interval '3 seconds'");
  for (const respond of pending) respond();
  await eventually(async () => expect(await webhook()).toMatchObject({ leased_until: null, last_turn_was_slow: true }));
  for (let i = 0; i < 40; i++) {
    const slowUser = await addUser(database);
    await addWebhook(database, slowUser, { url: receiver.url });
    await database.rows("UPDATE webhooks SET last_turn_was_slow = true");
    await addOwnLinks(database, slowUser, { name: `slow${i}-` });
  }
  await eventually(() => expect(pending.length).toBeGreaterThan(20));
  await expectToBeIdle();
  // None of them ended before.
  expect(await database.rows("SELECT FROM webhooks WHERE failure_count > 0")).toEqual([]);
  receiver.respond = (_event, response) => response.end();
  for (const respond of pending) respond();
  await eventually(() => isDelivered(42));
});

it("two senders send each event once", async () => {
  await addEvents(120);
  await Promise.all([start(), start()]);
  await eventually(() => isDelivered(120));
  expect(receiver.received).toHaveLength(120);
});

it("sends an event again whose worker ended before it stored the response", async () => {
  await addEvents();
  // A worker that is killed: its lease ends.
  await database.rows("UPDATE webhooks SET leased_until = now() + interval '500 milliseconds'");
  await start();
  await eventually(() => isDelivered(1));
});

it("a graceful stop waits for a response in progress and stores it", async () => {
  const responses: (() => void)[] = [];
  receiver.respond = (_event, response) => responses.push(() => response.end());
  await addEvents(10);
  const sender = await start();
  await eventually(() => expect(responses).toHaveLength(4));
  const stopped = sender.stop();
  for (const respond of responses) respond();
  await stopped;
  await isDelivered(4);
  expect(receiver.received).toHaveLength(4);
  expect(await webhook()).toMatchObject({ leased_until: null });
});

it("counts attempts by result, and measures how long the oldest event has been due", async () => {
  await addEvents();
  await database.rows("UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour'");
  await database.rows("UPDATE webhooks SET paused_until = now() + interval '1 hour'");
  await start();
  const value = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  expect(await value("tapthru_webhook_lag_seconds")).toBe(0);
  await database.rows("UPDATE webhooks SET paused_until = NULL, leased_until = now() + interval '1 day'");
  expect(await value("tapthru_webhook_lag_seconds")).toBeGreaterThan(3_599);
  await database.rows("UPDATE webhooks SET leased_until = NULL");
  await eventually(() => isDelivered(1));
  expect(await value("tapthru_webhook_attempts_total")).toBe(1);
});

it("aborted requests have no result", async () => {
  const postWebhook: PostWebhook = vi.fn(postLocally);
  await addEvents();
  receiver.respond = () => {};
  const sender = await start({ postWebhook });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await sender.stop();
  expect((await deliveries())[0]).toMatchObject({ attempt_count: 0, next_attempt_at: expect.any(Date) });
  expect(await webhook()).toMatchObject({ failure_count: 0, leased_until: null });
});

describe("people", () => {
  const CHAT = "https://hooks.slack.com/services/x";
  const QUIET_NOW = JSON.stringify(quietHoursAround(new Date()));

  it("get one message about all events, then none for five minutes", async () => {
    const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
    await addWebhook(database, userId, { url: CHAT });
    await addOwnLinks(database, userId, { name: "lamp", count: 3 });
    await start({ postWebhook });
    await eventually(() => isDelivered(3));
    const text = [1, 2, 3].map((n) => `lamp${n} was created. https://t.example/a/${userId}/link/lamp${n}`);
    expect(postWebhook.mock.calls).toMatchObject([[{ url: CHAT, body: expect.any(String) }]]);
    const { body } = postWebhook.mock.calls[0]?.[0] ?? {};
    expect(JSON.parse(String(body)).text.split("\n").toSorted()).toEqual(text);
    await eventually(async () => expect(await webhook()).toMatchObject({ leased_until: null }));
    const [{ minutes } = {}] = await database.rows(
      "SELECT round(extract(epoch FROM paused_until - now()) / 60)::int AS minutes FROM webhooks",
    );
    expect(minutes).toBe(5);
  });

  it("get messages at an address that is stored encrypted", async () => {
    const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
    await addWebhook(database, userId, { url: "https://hooks.slack.com" });
    await database.rows("UPDATE webhooks SET sealed_url = $1", [testSecrets.seal(CHAT, userId)]);
    await addOwnLinks(database, userId, { name: "lamp" });
    await start({ postWebhook });
    await eventually(() => isDelivered(1));
    expect(postWebhook.mock.calls).toMatchObject([[{ url: CHAT }]]);
  });

  it("get the type of an event that is not as expected, beside the others; its user sees that, and it is counted", async () => {
    const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
    const id = await addWebhook(database, userId, { url: CHAT });
    await addOwnLinks(database, userId, { name: "lamp" });
    await database.rows(
      `INSERT INTO webhook_deliveries (webhook_id, type, data) VALUES (${id}, 'import.finished', '{"counts": {}}')`,
    );
    await start({ postWebhook });
    await eventually(() => isDelivered(2));
    const { text } = JSON.parse(String(postWebhook.mock.calls[0]?.[0].body));
    expect(text.split("\n").toSorted()).toEqual([
      `An event of the type import.finished. https://t.example/a/${userId}/account/notifications`,
      `lamp1 was created. https://t.example/a/${userId}/link/lamp1`,
    ]);
    expect(await database.rows("SELECT type, error FROM webhook_deliveries ORDER BY type")).toEqual([
      { type: "import.finished", error: "unreadable-event" },
      { type: "link.created", error: null },
    ]);
    const counted = await registry.getSingleMetric("tapthru_webhook_attempts_total")?.get();
    expect(counted?.values).toContainEqual({ labels: { result: "unreadable" }, value: 1 });
  });

  it("are sent nothing but tests in quiet hours, and the rest at their end", async () => {
    const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
    const id = await addWebhook(database, userId, { url: CHAT });
    await database.rows("UPDATE webhooks SET quiet_hours = $1", [QUIET_NOW]);
    await addOwnLinks(database, userId, { name: "lamp" });
    await database.rows(`INSERT INTO webhook_deliveries (webhook_id, type, data) VALUES (${id}, 'test', '{}')`);
    await start({ postWebhook });
    await eventually(() => isDelivered(1));
    await eventually(async () => expect(await webhook()).toMatchObject({ leased_until: null }));
    expect(postWebhook.mock.calls.map(([{ body }]) => body)).toEqual([expect.stringContaining("This is a test")]);
    expect(await webhook()).toMatchObject({ paused_until: expect.any(Date), failing_since: null });
    await database.rows("UPDATE webhooks SET quiet_hours = NULL, paused_until = NULL");
    await eventually(() => isDelivered(2));
  });

  it("get emails at their confirmed address only", async () => {
    const mails: { to: string; mail: Mail }[] = [];
    await addWebhook(database, userId, { url: "mailto:" });
    await addOwnLinks(database, userId, { name: "lamp" });
    await start({ mailer: createTestMailer(mails) });
    await eventually(async () => expect((await deliveries())[0]).toMatchObject({ error: "refused-address" }));
    await database.rows("UPDATE users SET email = 'anna@t.example', email_is_verified = true WHERE id = $1", [userId]);
    await makeDue();
    await eventually(() => isDelivered(1));
    expect(mails).toMatchObject([{ to: "anna@t.example", mail: { subject: "lamp1 was created." } }]);
    expect(await database.rows("SELECT response_status FROM webhook_deliveries")).toEqual([{ response_status: 250 }]);
  });

  it("whose mail server has no such recipient get no further email, and are not written to again", async () => {
    const mailServer = await startTestMailServer();
    onTestFinished(() => mailServer.stop());
    mailServer.checkRecipient = () => {
      throw smtpError(550, "5.1.1 unknown user");
    };
    await database.rows("UPDATE users SET email_is_verified = true WHERE id = $1", [userId]);
    await addWebhook(database, userId, { url: "mailto:" });
    await addOwnLinks(database, userId, { name: "lamp" });
    const from = { name: "Tapthru", address: "mail@t.example" };
    await start({ mailer: createMailer({ url: mailServer.url, from, requiresTls: false }) });
    const ended = { disabled_at: expect.any(Date), disabled_reason: "refused", leased_until: null };
    await eventually(async () => expect(await webhook()).toMatchObject(ended));
    expect((await deliveries())[0]).toMatchObject({ response_status: 550, attempt_count: 1 });
  });

  it("whose mail server refuses an email for good do not get it later, but others", async () => {
    await database.rows("UPDATE users SET email_is_verified = true WHERE id = $1", [userId]);
    await addWebhook(database, userId, { url: "mailto:" });
    await addOwnLinks(database, userId, { name: "lamp" });
    const mailer = createTestMailer([], () => {
      throw { command: "RCPT TO", responseCode: 554, response: "554 5.7.1 relay access denied" };
    });
    await start({ mailer });
    const refused = { response_status: 554, attempt_count: 1, next_attempt_at: null, delivered_at: null };
    await eventually(async () => expect((await deliveries())[0]).toMatchObject(refused));
    await eventually(async () => expect(await webhook()).toMatchObject({ disabled_at: null, leased_until: null }));
  });

  it("whose mail server refuses an email get it later", async () => {
    await database.rows("UPDATE users SET email_is_verified = true WHERE id = $1", [userId]);
    await addWebhook(database, userId, { url: "mailto:" });
    await addOwnLinks(database, userId, { name: "lamp" });
    const mailer = createTestMailer([], () => {
      throw Object.assign(new Error("later"), { responseCode: 451 });
    });
    await start({ mailer });
    const refused = { response_status: 451, attempt_count: 1, next_attempt_at: expect.any(Date) };
    await eventually(async () => expect((await deliveries())[0]).toMatchObject(refused));
  });
});
