import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../emails/mailer.ts";
import { useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { smtpError, startTestMailServer, type TestMailServer } from "../testing/test-mail-server.ts";
import { createSmtpMailer, createTestMailer } from "../testing/test-mailer.ts";
import { addOwnLinks, addUser } from "../testing/test-webhooks.ts";
import { sendWeeklyEmails } from "./send-weekly-emails.ts";

const database = await useDatabase();
const app = {
  db: database.db,
  publicBaseUrl: "https://tapthru.example",
  productName: "Tapthru",
  logger: createTestLogger().logger,
};
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

async function addReader(name: string, count = 1): Promise<number> {
  const id = await addUser(database, name, true);
  await addOwnLinks(database, id, { name, count });
  await run(`
    UPDATE link_health SET state = 'product-gone', since = now() - interval '2 days'
    WHERE link_id IN (SELECT id FROM links WHERE user_id = ${id})
  `);
  return id;
}

const send = (url = mailServer.url) =>
  workNow({ ...app, logger: log.logger, mailer: createSmtpMailer(url) }, sendWeeklyEmails);
const recipients = () => mailServer.received.flatMap(({ to }) => to).sort();

it("sends one email with the links that need attention, with one-click headers", async () => {
  await addReader("desk", 2);
  await send();
  await send();
  expect(recipients()).toEqual(["desk@t.example", "lamp@t.example"]);
  const [{ token } = {}] = await run(`SELECT weekly_email_token AS token FROM users WHERE id = ${userId}`);
  const mail = mailServer.received.find(({ to }) => to[0] === "lamp@t.example");
  const source = mail?.source.replaceAll("\r\n ", " ").replaceAll("=\r\n", "") ?? "";
  expect(source).toContain("From: Tapthru <mail@tapthru.example>\r\nTo: lamp@t.example\r\n");
  expect(source).toContain("Subject: 1 of your links needs attention\r\n");
  expect(source).toContain(`List-Unsubscribe: <https://tapthru.example/api/unsubscribe?token=${token}>\r\n`);
  expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  expect(source).toContain("https://tapthru.example/l/lamp1");
});

it.each([
  ["to an address that is not verified", "UPDATE users SET email_is_verified = false"],
  ["to users who are disabled", "UPDATE users SET state = 'disabled'"],
  ["about links that are all right", "UPDATE link_health SET state = 'ok'"],
  ["about links whose state is unknown", "UPDATE link_health SET state = 'unknown'"],
  ["within a day of the change", "UPDATE link_health SET since = now() - interval '23 hours'"],
  ["about links that were taken down", "UPDATE links SET taken_down_at = now()"],
  ["about expired links", "UPDATE links SET expires_at = now()"],
  ["to users who ended the emails", "UPDATE users SET weekly_email = 'off'"],
  ["within seven days of the last one", "UPDATE users SET weekly_email_at = now() - interval '167 hours'"],
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
  await run("UPDATE users SET weekly_email_at = weekly_email_at - interval '7 days'");
  await send();
  expect(recipients()).toEqual(["lamp@t.example", "lamp@t.example"]);
});

describe("a server", () => {
  it("begins no email when the server is unreachable, and logs neither login nor addresses", async () => {
    const { url } = mailServer;
    await mailServer.stop();
    await send(url);
    expect(await run("SELECT FROM users WHERE weekly_email_at IS NOT NULL")).toEqual([]);
    expect(log.lines).toMatchObject([{ event: "mail_server_unavailable", code: "ESOCKET" }]);
    expect(JSON.stringify(log.lines)).not.toMatch(/secret-word|t\.example/);
    mailServer = await startTestMailServer();
  });

  it("begins no email when the server refuses the login, and logs no password", async () => {
    await send(mailServer.url.replace("secret-word", "another-word"));
    expect(await run("SELECT FROM users WHERE weekly_email_at IS NOT NULL")).toEqual([]);
    expect(log.lines).toMatchObject([{ event: "mail_server_unavailable", code: "EAUTH" }]);
    expect(JSON.stringify(log.lines)).not.toMatch(/another-word|YW5vdGhlci13b3Jk/);
  });

  it("sends an email that the server refused for now again at the next run, and others at once", async () => {
    await addReader("desk");
    mailServer.checkRecipient = (address) => {
      if (address.startsWith("lamp")) throw smtpError(450, `${address} is busy`);
    };
    await send();
    expect(recipients()).toEqual(["desk@t.example"]);
    expect(log.lines).toMatchObject([{ event: "weekly_email_not_sent", userId, responseCode: 450 }]);
    expect(JSON.stringify(log.lines)).not.toContain("t.example");
    mailServer.checkRecipient = () => {};
    await send();
    expect(recipients()).toEqual(["desk@t.example", "lamp@t.example"]);
  });

  it("one that is sent again comes after those that were not tried since", async () => {
    mailServer.checkRecipient = () => {
      throw smtpError(450, "busy");
    };
    await send();
    const waiting = await addReader("desk");
    const next = async () => (await run("SELECT user_id FROM due_weekly_emails(1)"))[0]?.user_id;
    expect(await next()).toBe(waiting);
    await run(`UPDATE users SET weekly_email_at = now() - interval '8 days' WHERE id = ${waiting}`);
    expect(await next()).toBe(waiting);
    await run(`UPDATE users SET weekly_email_at = now() - interval '6 days' WHERE id = ${waiting}`);
    expect(await next()).toBe(userId);
  });

  it("sends no further email to a recipient that the server does not have", async () => {
    await addReader("desk");
    mailServer.checkRecipient = (address) => {
      if (address.startsWith("lamp")) throw smtpError(550, "unknown user");
    };
    await send();
    mailServer.checkRecipient = () => {};
    await run("UPDATE users SET weekly_email_at = weekly_email_at - interval '7 days'");
    await send();
    expect(recipients()).toEqual(["desk@t.example", "desk@t.example"]);
    expect(await run("SELECT id FROM users WHERE weekly_email = 'refused'")).toEqual([{ id: userId }]);
  });

  it("sends no further messages in this run to a server that refuses them for now", async () => {
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

describe("the text", () => {
  const textTo = async (name: string) => {
    const mails: { to: string; mail: Mail }[] = [];
    await workNow({ ...app, mailer: createTestMailer(mails) }, sendWeeklyEmails);
    return mails.find(({ to }) => to.startsWith(name))?.mail;
  };

  it("the text has name, short URL, reason and page of each link, and the address that ends the emails", async () => {
    await run("UPDATE links SET nickname = 'Desk lamp'");
    const [{ token } = {}] = await run("SELECT weekly_email_token AS token FROM users");
    const { subject, text } = (await textTo("lamp")) ?? {};
    expect(subject).toBe("1 of your links needs attention");
    expect(text).toBe(`1 of your links needs attention:

Desk lamp
https://tapthru.example/l/lamp1
Amazon no longer has this product.
Change it: https://tapthru.example/a/${userId}/link/lamp1

--
You get this email at most once a week, because you have an account at Tapthru.
Stop these emails: https://tapthru.example/api/unsubscribe?token=${token}`);
  });

  it("lists the first 20 links, with the address of the list, and counts at most 200", async () => {
    const id = await addReader("desk", 31);
    const { subject, text } = (await textTo("desk")) ?? {};
    expect(subject).toBe("31 of your links need attention");
    expect(text?.match(/Amazon no longer has this product/g)).toHaveLength(20);
    expect(text).toContain(`More of them: https://tapthru.example/a/${id}/dashboard?show=needs-attention`);
    await addReader("shop", 201);
    expect((await textTo("shop"))?.subject).toBe("At least 200 of your links need attention");
  });

  it("uses the title without a nickname, and the product id without both", async () => {
    await addReader("desk");
    await run("UPDATE links SET title = E'A lamp\\nfor desks' WHERE short_code = 'lamp1'");
    expect((await textTo("lamp"))?.text).toContain("\nA lamp for desks\n");
    await run("UPDATE users SET weekly_email_at = NULL");
    expect((await textTo("desk"))?.text).toContain("B08N5WRWNW");
  });

  it("puts no line break of a name into the subject or between the lines", async () => {
    await run("UPDATE links SET nickname = E'A lamp\\r\\nBcc: eve@t.example'");
    const { subject, text } = (await textTo("lamp")) ?? {};
    expect(`${subject}${text}`).not.toContain("\r");
    expect(text).toContain("\nA lamp Bcc eve@t example\n");
  });
});
