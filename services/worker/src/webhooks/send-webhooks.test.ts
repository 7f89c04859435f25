import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { createPostWebhook, type PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { pause } from "@tapthru/core/platform/waiting";
import type { Registry } from "prom-client";
import { sql } from "slonik";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { workOff } from "../due.ts";
import type { Mail, Mailer } from "../emails/mailer.ts";
import { registerMetrics } from "../metrics.ts";
import { useDatabase } from "../testing/test-database.ts";
import { smtpError, startTestMailServer } from "../testing/test-mail-server.ts";
import { createSmtpMailer, createTestMailer } from "../testing/test-mailer.ts";
import { startTestReceiver, type TestReceiver, verify } from "../testing/test-receiver.ts";
import { addOwnLinks, addUser, addWebhook, testSecrets } from "../testing/test-webhooks.ts";
import { endLease, leaseWebhooks } from "./queries.ts";
import { sendWebhooks } from "./send-webhooks.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

const database = await useDatabase();
const { rows } = database;
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

async function start({ postWebhook = postLocally, mailer = null as Mailer | null } = {}) {
  const log = createTestLogger();
  lines = log.lines;
  registry = createMetrics();
  const { db } = database;
  const app = {
    db,
    postWebhook,
    mailer,
    publicBaseUrl: "https://t.example",
    webhookSecrets: testSecrets,
    ...registerMetrics(registry, { db, logger: log.logger }),
    logger: log.logger,
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  async function work(): Promise<void> {
    while (!signal.aborted) {
      await workOff(app, "send-webhooks", { ...sendWebhooks, everyMs: 10 }, signal);
      await pause(10, signal);
    }
  }
  const working = work();
  async function stop(): Promise<void> {
    stopping.abort();
    await working;
  }
  const started = { stop };
  running.push(started);
  return started;
}

/** A webhook, and links of its user. @returns the id of the webhook */
async function addEvents(count = 1, url = receiver.url): Promise<number> {
  const id = await addWebhook(database, userId, { url });
  await addOwnLinks(database, userId, { name: "lamp", count });
  return id;
}
const eventually = (check: () => unknown) => vi.waitFor(check, WAIT_OPTIONS);
const deliveries = () => rows("SELECT * FROM webhook_deliveries ORDER BY created_at");
const webhook = async () => (await rows("SELECT * FROM webhooks ORDER BY id"))[0];
const untilWebhook = (is: object) => eventually(async () => expect(await webhook()).toMatchObject(is));
const untilDelivery = (is: object) => eventually(async () => expect((await deliveries())[0]).toMatchObject(is));
/** Holds all responses. @returns what gives them, in the order of the requests */
function holdResponses(): (() => void)[] {
  const pending: (() => void)[] = [];
  receiver.respond = (_event, response) => pending.push(() => response.end());
  return pending;
}
const isDelivered = async (count: number) =>
  expect((await deliveries()).filter((row) => row.delivered_at !== null)).toHaveLength(count);
const quietHoursAround = (now: Date) => {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: at(-1), to: at(1), timeZone: "UTC" };
};
const makeDue = () =>
  rows(
    `WITH due AS (UPDATE webhook_deliveries SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL)
     UPDATE webhooks SET paused_until = NULL`,
  );

it("sends an event with a signature that the reference library verifies", async () => {
  await addEvents(1, `${receiver.url}/hook?a=1`);
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
  await rows("UPDATE webhooks SET encrypted_previous_secret = $1, previous_secret_until = now() + interval '1 hour'", [
    testSecrets.encrypt(previous, userId),
  ]);
  await addOwnLinks(database, userId, { name: "lamp" });
  await start();
  await eventually(() => isDelivered(1));
  await rows("UPDATE webhooks SET previous_secret_until = now()");
  await addOwnLinks(database, userId, { name: "desk" });
  await eventually(() => isDelivered(2));
  const [during, after] = receiver.received;
  if (during === undefined || after === undefined) throw new Error("nothing received");
  verify(during);
  verify(during, previous);
  verify(after);
  expect(() => verify(after, previous)).toThrow();
});

it("a receiver that asks to wait gets nothing before that, and is not failing", async () => {
  await addEvents();
  receiver.respond = (_event, response) => response.writeHead(429, { "retry-after": "120" }).end();
  await start();
  await untilWebhook({ paused_until: expect.any(Date) });
  const [times = {}] = await rows(`
    SELECT extract(epoch FROM paused_until - now())::int AS paused, extract(epoch FROM next_attempt_at - now())::int AS next,
      failing_since, failure_count FROM webhooks, webhook_deliveries`);
  expect(times).toMatchObject({ failing_since: null, failure_count: 0 });
  for (const wait of [times.paused, times.next]) {
    expect(wait).toBeGreaterThan(90);
    expect(wait).toBeLessThanOrEqual(120);
  }
});

it("an event is given up after the tenth attempt", async () => {
  await addEvents();
  await rows("UPDATE webhook_deliveries SET attempt_count = 9");
  receiver.respond = (_event, response) => response.writeHead(500).end();
  await start();
  const givenUp = { attempt_count: 10, next_attempt_at: null, delivered_at: null };
  await untilDelivery(givenUp);
});

it.each([500, 404, 302, 308])(
  "an event that is not confirmed, with the status %d, is sent again, with the same id and body",
  async (status) => {
    await addEvents();
    receiver.respond = (_event, response) =>
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    await start();
    await untilWebhook({ failure_count: 1 });
    expect((await deliveries())[0]).toMatchObject({ response_status: status, attempt_count: 1 });
    expect(await webhook()).toMatchObject({ failing_since: expect.any(Date), disabled_at: null });
    receiver.respond = (_event, response) => response.end();
    await makeDue();
    await eventually(() => isDelivered(1));
    const [first, second, ...others] = receiver.received;
    expect([second?.id, second?.body, second?.path]).toEqual([first?.id, first?.body, "/"]);
    expect(others).toEqual([]);
    await untilWebhook({ failing_since: null, failure_count: 0 });
  },
);

it("a webhook whose secret cannot be opened is failing, and is tried again after a pause", async () => {
  await addEvents();
  await rows("UPDATE webhooks SET encrypted_secret = 'unreadable'");
  await start();
  const time = expect.any(Date);
  await untilWebhook({ failing_since: time, failure_count: 1, paused_until: time, leased_until: null });
  await eventually(() => expect(lines).toMatchObject([{ event: "item_failed", kind: "send-webhooks" }]));
  lines.length = 0;
  expect(receiver.received).toEqual([]);
});

describe("a webhook is disabled", () => {
  it("disables a webhook when it has failed for five days", async () => {
    await addEvents(30);
    await rows("UPDATE webhooks SET failing_since = now() - interval '5 days 1 minute'");
    receiver.respond = (_event, response) => response.writeHead(500).end();
    await start();
    await untilWebhook({ disabled_at: expect.any(Date) });
    const before = receiver.received.length;
    // It stops with the first failure, apart from the requests in progress.
    expect(before).toBeLessThanOrEqual(4);
    await makeDue();
    await addWebhook(database, await addUser(database), { url: receiver.url });
    await expectToBeIdle();
    expect(receiver.received).toHaveLength(before);
  });

  it("disables a webhook when the receiver responds with 410, also if it confirmed another event in the same lease", async () => {
    await addEvents(30);
    receiver.respond = (_event, response) => response.writeHead(receiver.received.length === 1 ? 200 : 410).end();
    await start();
    await untilWebhook({ disabled_at: expect.any(Date) });
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
  await rows(`UPDATE ${update} ${off}`);
  await start();
  await expectToBeIdle();
  expect(receiver.received).toEqual([]);
  await rows(`UPDATE ${update} ${on}`);
  await eventually(() => expect(receiver.received).toHaveLength(1));
});

it("sends nothing for an account that is being deleted, and deletes all with it", async () => {
  await addEvents();
  await rows("INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('u', $1)", [userId]);
  await start();
  await expectToBeIdle();
  expect(receiver.received).toEqual([]);
  await rows("DELETE FROM links WHERE user_id = $1", [userId]);
  await rows("DELETE FROM users WHERE id = $1", [userId]);
  expect(await rows("SELECT FROM webhooks WHERE user_id = $1", [userId])).toEqual([]);
  expect((await deliveries()).filter((row) => row.delivered_at === null)).toEqual([]);
});

it("an account with ten slow webhooks and 10,000 events delays no other account", async () => {
  const pending = holdResponses();
  for (let i = 0; i < 10; i++) await addWebhook(database, userId, { url: `${receiver.url}/${i}` });
  await addOwnLinks(database, userId, { name: "import-", count: 1_000 });
  expect(await deliveries()).toHaveLength(10_000);
  await start();
  // Two of the ten webhooks are leased, each with one request.
  await eventually(() => expect(pending).toHaveLength(2));
  await expectToBeIdle();
  await expectToBeIdle();
  expect(pending).toHaveLength(2);
  for (const respond of pending) respond();
  receiver.respond = (_event, response) => response.end();
});

describe("a receiver of ten webhooks with 1,000 events", () => {
  const lease = async () => {
    const due = { kind: "", limit: 100, isNotQuarantined: () => sql.fragment`true` };
    const { signal } = new AbortController();
    return (await leaseWebhooks(database.db, { ...due, signal, deadline: signal })).map(({ webhookId }) => webhookId);
  };
  const add = async (owner: number, shared: string | null) => {
    const id = await addWebhook(database, owner, { url: receiver.url });
    await rows("UPDATE webhooks SET receiver = coalesce($2, receiver) WHERE id = $1", [id, shared]);
    return id;
  };

  it("has two leases at once, of two accounts if it has as many", async () => {
    const own = [];
    for (let i = 0; i < 10; i++) own.push(await add(userId, "shared.example"));
    const [shared, alone] = [await addUser(database), await addUser(database)];
    const others = [await add(shared, "shared.example"), await add(alone, null)];
    for (const owner of [userId, shared, alone])
      await addOwnLinks(database, owner, { name: `of${owner}-`, count: 100 });
    expect((await lease()).sort()).toEqual([own[0], ...others].sort());
    expect(await lease()).toEqual([]);
    const end = { outcome: "delivered", disables: null, pausedUntil: null } as const;
    for (const id of [own[0], others[0]]) await endLease(database.db, Number(id), end);
    expect((await lease()).sort()).toEqual([own[1], others[0]].sort());
    await rows("UPDATE webhooks SET leased_until = now() WHERE id = $1", [own[1]]);
    expect(await lease()).toEqual([own[2]]);
  });

  it("gets a request of a lease at least 200 ms after the one before", async () => {
    const starts: number[] = [];
    const postWebhook: PostWebhook = (request) => {
      starts.push(performance.now());
      return postLocally(request);
    };
    await addEvents(12);
    await start({ postWebhook });
    await eventually(() => isDelivered(12));
    const pauses = starts.slice(1).map((time, index) => time - (starts[index] ?? 0));
    // A timer may end a millisecond early.
    expect(pauses.filter((ms) => ms < 198)).toEqual([]);
  });
});

it("measures how long the oldest event has been due", async () => {
  await addEvents();
  await rows("UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour'");
  await rows("UPDATE webhooks SET paused_until = now() + interval '1 hour'");
  await start();
  const value = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  expect(await value("tapthru_webhook_lag_seconds")).toBe(0);
  await rows("UPDATE webhooks SET paused_until = NULL, leased_until = now() + interval '1 day'");
  expect(await value("tapthru_webhook_lag_seconds")).toBeGreaterThan(3_599);
  await rows("UPDATE webhooks SET leased_until = NULL");
  await eventually(() => isDelivered(1));
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
  const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
  beforeEach(() => void postWebhook.mockClear());

  it("people get one message about all events, then none for five minutes", async () => {
    await addEvents(3, CHAT);
    await start({ postWebhook });
    await eventually(() => isDelivered(3));
    const text = [1, 2, 3].map((n) => `lamp${n} was created. https://t.example/a/${userId}/link/lamp${n}`);
    expect(postWebhook.mock.calls).toMatchObject([[{ url: CHAT, body: expect.any(String) }]]);
    const { body } = postWebhook.mock.calls[0]?.[0] ?? {};
    expect(JSON.parse(String(body)).text.split("\n").toSorted()).toEqual(text);
    await untilWebhook({ leased_until: null });
    const [{ minutes } = {}] = await rows(
      "SELECT round(extract(epoch FROM paused_until - now()) / 60)::int AS minutes FROM webhooks",
    );
    expect(minutes).toBe(5);
  });

  it("people get messages at an address that is stored encrypted", async () => {
    await addEvents(1, "https://hooks.slack.com");
    await rows("UPDATE webhooks SET encrypted_url = $1", [testSecrets.encrypt(CHAT, userId)]);
    await start({ postWebhook });
    await eventually(() => isDelivered(1));
    expect(postWebhook.mock.calls).toMatchObject([[{ url: CHAT }]]);
  });

  it("the message has only the type of a malformed event, beside the others; its user sees that", async () => {
    const id = await addEvents(1, CHAT);
    await rows(`INSERT INTO webhook_deliveries (webhook_id, type, data) VALUES (${id}, 'link.changed', '{}')`);
    await start({ postWebhook });
    await eventually(() => isDelivered(2));
    const { text } = JSON.parse(String(postWebhook.mock.calls[0]?.[0].body));
    expect(text.split("\n").toSorted()).toEqual([
      `An event of the type link.changed. https://t.example/a/${userId}/account/notifications`,
      `lamp1 was created. https://t.example/a/${userId}/link/lamp1`,
    ]);
    expect(await rows("SELECT type, error FROM webhook_deliveries ORDER BY type")).toEqual([
      { type: "link.changed", error: "unreadable-event" },
      { type: "link.created", error: null },
    ]);
  });

  it("people get nothing but tests in quiet hours, and the rest at their end", async () => {
    const id = await addEvents(1, CHAT);
    await rows("UPDATE webhooks SET quiet_hours = $1", [QUIET_NOW]);
    await rows(`INSERT INTO webhook_deliveries (webhook_id, type, data) VALUES (${id}, 'test', '{}')`);
    await start({ postWebhook });
    await eventually(() => isDelivered(1));
    await untilWebhook({ leased_until: null });
    expect(postWebhook.mock.calls.map(([{ body }]) => body)).toEqual([expect.stringContaining("This is a test")]);
    expect(await webhook()).toMatchObject({ paused_until: expect.any(Date), failing_since: null });
    await rows("UPDATE webhooks SET quiet_hours = NULL, paused_until = NULL");
    await eventually(() => isDelivered(2));
  });

  it("people get emails at their confirmed address only", async () => {
    const mails: { to: string; mail: Mail }[] = [];
    await addEvents(1, "mailto:");
    await start({ mailer: createTestMailer(mails) });
    await untilDelivery({ error: "refused-address" });
    await rows("UPDATE users SET email = 'anna@t.example', email_is_verified = true WHERE id = $1", [userId]);
    await makeDue();
    await eventually(() => isDelivered(1));
    const [token] = await rows("SELECT unsubscribe_token AS token FROM webhooks");
    const stopUrl = expect.stringMatching(`/api/unsubscribe\\?token=${token?.token}$`);
    expect(mails).toMatchObject([{ to: "anna@t.example", mail: { subject: "lamp1 was created.", stopUrl } }]);
    expect(await rows("SELECT response_status FROM webhook_deliveries")).toEqual([{ response_status: 250 }]);
  });

  it.each([
    [
      550,
      "5.1.1 unknown user",
      "get no further email",
      {},
      { disabled_at: expect.any(Date), disabled_reason: "refused" },
    ],
    [
      554,
      "5.7.1 relay access denied",
      "do not get it later, but others",
      { next_attempt_at: null },
      { disabled_at: null },
    ],
    [451, "4.7.1 later", "get it later", { next_attempt_at: expect.any(Date) }, { disabled_at: null }],
  ])("a mail server that says %i %s %s", async (code, text, _then, delivery, after) => {
    const mailServer = await startTestMailServer();
    onTestFinished(() => mailServer.stop());
    mailServer.checkRecipient = () => {
      throw smtpError(code, text);
    };
    await rows("UPDATE users SET email_is_verified = true WHERE id = $1", [userId]);
    await addEvents(1, "mailto:");
    await start({ mailer: createSmtpMailer(mailServer.url) });
    const refused = { response_status: code, attempt_count: 1, delivered_at: null, ...delivery };
    await untilDelivery(refused);
    await untilWebhook({ ...after, leased_until: null });
  });
});
