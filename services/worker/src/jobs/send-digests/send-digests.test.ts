import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFail, NEVER, useDatabase } from "../../testing/test-database.ts";
import { smtpError, startTestMailServer, type TestMailServer } from "../../testing/test-mail-server.ts";
import { createSmtpMailer } from "../../testing/test-mailer.ts";
import { addTrackedChannel, addTrackedDay } from "../../testing/test-tracking.ts";
import { addOwnLinks, addUser } from "../../testing/test-webhooks.ts";
import { digestMail, type UnhealthyLink } from "./digest-mail.ts";
import { sendDigests } from "./send-digests.ts";

const database = await useDatabase();
let mailServer: TestMailServer;
let log: ReturnType<typeof createTestLogger>;
let userId: number;

beforeEach(async () => {
  mailServer = await startTestMailServer();
  log = createTestLogger();
  userId = await addReader("lamp");
});
afterEach(() => mailServer.stop());

const run = (statement: string) => database.rows(statement);

/** Adds a user with a verified address and a link that has been unhealthy for two days. */
async function addReader(name: string, count = 1): Promise<number> {
  const id = await addUser(database, name, true);
  await addOwnLinks(database, id, { name, count });
  await run(`
    UPDATE link_health SET state = 'product-gone', since = now() - interval '2 days'
    WHERE link_id IN (SELECT id FROM links WHERE user_id = ${id})
  `);
  return id;
}

const send = (url = mailServer.url, signal = NEVER) =>
  sendDigests(
    {
      db: database.db,
      mailer: createSmtpMailer(url),
      publicBaseUrl: "https://tapthru.example",
      productName: "Tapthru",
      logger: log.logger,
    },
    {},
    { signal },
  );
const recipients = () => mailServer.received.flatMap(({ to }) => to).sort();

it("sends one email with the links that need attention, with one-click headers", async () => {
  await addReader("desk", 2);
  await send();
  await send();
  expect(recipients()).toEqual(["desk@t.example", "lamp@t.example"]);
  const [{ token, sent_at } = {}] = await run(
    `SELECT unsubscribe_token AS token, sent_at FROM digests WHERE user_id = ${userId}`,
  );
  expect(sent_at).toBeInstanceOf(Date);
  const mail = mailServer.received.find(({ to }) => to[0] === "lamp@t.example");
  const source = mail?.source.replaceAll("\r\n ", " ").replaceAll("=\r\n", "") ?? "";
  expect(source).toContain("From: Tapthru <mail@tapthru.example>\r\nTo: lamp@t.example\r\n");
  expect(source).toContain("Subject: 1 of your links needs attention\r\n");
  expect(source).toContain(`List-Unsubscribe: <https://tapthru.example/api/digest/unsubscribe?token=${token}>\r\n`);
  expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  expect(source).toContain("https://tapthru.example/l/lamp1");
});

it("writes about a channel of which Amazon counts fewer clicks, also if all links are all right", async () => {
  await run("UPDATE link_health SET state = 'ok'");
  await addTrackedChannel(database, userId, "Instagram", "insta-21");
  for (const ago of [40, 20]) await addTrackedDay(database, userId, ago, { "insta-21": 800 });
  await send();
  expect(recipients()).toEqual([]);
  await addTrackedDay(database, userId, 2, { "insta-21": 300 });
  await send();
  await send();
  expect(recipients()).toEqual(["lamp@t.example"]);
  const source = mailServer.received[0]?.source.replaceAll("=\r\n", "");
  expect(source).toContain("Subject: One of your channels needs attention\r\n");
  expect(source).toContain("Fewer taps of Instagram arrive at amazon.de");
  expect(source).toContain(`https://tapthru.example/a/${userId}/earnings?by=3Dchannel`);
});

it.each([
  ["to an address that is not verified", "UPDATE users SET email_is_verified = false"],
  ["to users who are disabled", "UPDATE users SET state = 'disabled'"],
  ["about links that are all right", "UPDATE link_health SET state = 'ok'"],
  ["about links whose state is unknown", "UPDATE link_health SET state = 'unknown'"],
  ["within a day of the change", "UPDATE link_health SET since = now() - interval '23 hours'"],
  ["about links that were taken down", "UPDATE links SET taken_down_at = now()"],
  ["about expired links", "UPDATE links SET expires_at = now()"],
  ["to users who ended the emails", "INSERT INTO digests (user_id, unsubscribed_at) SELECT id, now() FROM users"],
  [
    "within seven days of the last one",
    "INSERT INTO digests (user_id, begun_at) SELECT id, now() - interval '167 hours' FROM users",
  ],
  [
    "to an account that is being deleted",
    "INSERT INTO account_deletions (firebase_uid, user_id) SELECT firebase_uid, id FROM users",
  ],
])("sends nothing %s", async (_case, statement) => {
  await run("TRUNCATE account_deletions");
  await run(statement);
  await send();
  expect(mailServer.received).toEqual([]);
  await run("TRUNCATE account_deletions");
});

it("sends the next one after seven days", async () => {
  await send();
  await run("UPDATE digests SET begun_at = begun_at - interval '7 days'");
  await send();
  expect(recipients()).toEqual(["lamp@t.example", "lamp@t.example"]);
});

it("sends one email to each user, also if several workers send at once", async () => {
  for (const name of ["desk", "chair", "rug"]) await addReader(name);
  await Promise.all([send(), send(), send()]);
  expect(recipients()).toEqual(["chair@t.example", "desk@t.example", "lamp@t.example", "rug@t.example"]);
});

it("a user whose email fails by an error of ours does not hold up others", async () => {
  await addReader("desk");
  await makeFail(database, "digests", { user_id: userId });
  await send();
  expect(recipients()).toEqual(["desk@t.example"]);
  expect(await run("SELECT kind, key FROM failed_items")).toEqual([{ kind: "send-digests", key: String(userId) }]);
});

describe("a server", () => {
  it("that cannot be reached begins no email, and the log has neither login nor addresses", async () => {
    const { url } = mailServer;
    await mailServer.stop();
    await send(url);
    expect(await run("SELECT FROM digests")).toEqual([]);
    expect(log.lines).toMatchObject([{ event: "mail_server_unavailable", code: "ESOCKET" }]);
    expect(JSON.stringify(log.lines)).not.toMatch(/secret-word|t\.example/);
    mailServer = await startTestMailServer();
  });

  it("that refuses the login begins no email, and the log has no password", async () => {
    await send(mailServer.url.replace("secret-word", "another-word"));
    expect(await run("SELECT FROM digests")).toEqual([]);
    expect(log.lines).toMatchObject([{ event: "mail_server_unavailable", code: "EAUTH" }]);
    expect(JSON.stringify(log.lines)).not.toMatch(/another-word|YW5vdGhlci13b3Jk/);
  });

  it("that refuses a recipient for now gets the email again at the next run, others get theirs", async () => {
    await addReader("desk");
    mailServer.checkRecipient = (address) => {
      if (address.startsWith("lamp")) throw smtpError(450, `${address} is busy`);
    };
    await send();
    expect(recipients()).toEqual(["desk@t.example"]);
    expect(log.lines).toMatchObject([{ event: "digest_not_sent", userId, responseCode: 450 }]);
    expect(JSON.stringify(log.lines)).not.toContain("t.example");
    mailServer.checkRecipient = () => {};
    await send();
    expect(recipients()).toEqual(["desk@t.example", "lamp@t.example"]);
  });

  it("that has no such recipient gets no further email for them", async () => {
    await addReader("desk");
    mailServer.checkRecipient = (address) => {
      if (address.startsWith("lamp")) throw smtpError(550, "unknown user");
    };
    await send();
    mailServer.checkRecipient = () => {};
    await run("UPDATE digests SET begun_at = begun_at - interval '7 days'");
    await send();
    expect(recipients()).toEqual(["desk@t.example", "desk@t.example"]);
    const ended = { user_id: userId, unsubscribed_at: expect.any(Date), refused_at: expect.any(Date) };
    expect(await run("SELECT * FROM digests WHERE refused_at IS NOT NULL")).toMatchObject([ended]);
  });

  it("that refuses messages for now gets no further ones in this run", async () => {
    await addReader("desk");
    mailServer.accept = () => {
      throw smtpError(451, "too many messages");
    };
    await send();
    expect(mailServer.received).toHaveLength(1);
    mailServer.received = [];
    mailServer.accept = () => {};
    await send();
    expect(recipients()).toEqual(["desk@t.example", "lamp@t.example"]);
  });
});

const SITE = { publicBaseUrl: "https://tapthru.example", productName: "Tapthru" };
const TOKEN = "6f1c1f0e-6a37-4b0f-9d0e-0d7c1f7c2f54";
const RECIPIENT = { userId: 42, token: TOKEN };

const link = (changes: Partial<UnhealthyLink> = {}): UnhealthyLink => ({
  shortCode: "lamp",
  nickname: "Desk lamp",
  title: null,
  originalUrl: "https://www.amazon.com/dp/B08N5WRWNW",
  state: "product-gone",
  total: 1,
  ...changes,
});

it("has name, short URL, reason, advice and page of each link, in the text and in the HTML", () => {
  const { subject, text, html } = digestMail(SITE, [link()], RECIPIENT);
  expect(subject).toBe("1 of your links needs attention");
  expect(text).toBe(`1 of your links needs attention.

Desk lamp
https://tapthru.example/l/lamp
Product gone. Amazon no longer has this product.
What to do: Change the destination of the link to another product. The short link stays the same.
Open the page of this link: https://tapthru.example/a/42/link/lamp

--
You get this email at most once a week, because you have an account at Tapthru.
Stop these emails: https://tapthru.example/api/digest/unsubscribe?token=${TOKEN}`);
  for (const part of ["Desk lamp", "/l/lamp", "/link/lamp", "Product gone.", "What to do:"]) {
    expect(html).toContain(part);
  }
});

it("says how many more links need attention, with the address of the list", () => {
  const { subject, text, html } = digestMail(SITE, [link({ total: 12 })], RECIPIENT);
  expect(subject).toBe("12 of your links need attention");
  expect(text).toContain("11 more links need attention: https://tapthru.example/a/42/dashboard?show=");
  expect(html).toContain("11 more links need attention</a>");
});

it("uses the title without a nickname, and the product id without both", () => {
  const { text } = digestMail(
    SITE,
    [link({ nickname: null, title: "A lamp\nfor desks" }), link({ nickname: null })],
    RECIPIENT,
  );
  expect(text).toContain("\nA lamp for desks\n");
  expect(text).toContain("B08N5WRWNW");
});

it("escapes names in the HTML, and puts no line break into the subject", () => {
  const name = `<img src=x onerror=alert(1)>"&'\r\nBcc: eve@t.example`;
  const { html, text, subject } = digestMail(SITE, [link({ nickname: name })], RECIPIENT);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39; Bcc eve@t example");
  expect(text).not.toContain("\r");
  expect(subject).not.toContain("eve@");
});
