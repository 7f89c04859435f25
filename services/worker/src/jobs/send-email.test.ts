import { createCipher } from "@tapthru/core/platform/cipher";
import type { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestMailServer, type TestMailServer } from "../testing/test-mail-server.ts";
import { createSmtpMailer } from "../testing/test-mailer.ts";
import { sendEmail } from "./send-email.ts";

const id = "0198f5a0-6f0e-7d0a-9f5e-6a1b2c3d4e5f";
const emailCipher = createCipher(["a-key-that-encrypts-the-emails-of-tests"]);

let server: TestMailServer;
let registry: Registry;
beforeEach(() => {
  registry = new Registry();
});
beforeAll(async () => {
  server = await startTestMailServer();
});
afterAll(() => server.stop());

function send(to: string, kind: EmailToSend["kind"] = "reset-password", serverUrl = server.url) {
  const mailer = createSmtpMailer(serverUrl, registry);
  const url = "https://t.example/reset-password#token=abc";
  const email: EmailToSend = { kind, to, displayName: "Anna", url };
  const encrypted = emailCipher.encrypt(JSON.stringify(email), id);
  const site = { productName: "Tapthru", contactEmail: "help@tapthru.example" };
  return sendEmail({ mailer, emailCipher, ...site }, { id, encrypted });
}

async function expectCount(kind: string, result: string) {
  const counted = await registry.getSingleMetric("tapthru_emails_total")?.get();
  expect(counted?.values.filter(({ value }) => value > 0)).toEqual([{ labels: { kind, result }, value: 1 }]);
}

it("sends the link to the address", async () => {
  await send("anna@example.com");
  await expectCount("reset-password", "sent");
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: "mail@tapthru.example", to: ["anna@example.com"] });
  expect(mail?.source).toContain("Subject: Choose a new password for Tapthru");
  const text = mail?.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(text).toContain("https://t.example/reset-password#token=abc");
});

it("says of an account whose address is not confirmed when it was created", async () => {
  const mails: string[] = [];
  const email = {
    kind: "confirm-email",
    to: "a@t.example",
    createdAt: "2026-11-30T12:04:05.000Z",
    url: "https://t.example/",
  };
  const mailer = {
    check: async () => {},
    send: async (_to: string, { text }: { text: string }) => void mails.push(text),
  };
  const encrypted = emailCipher.encrypt(JSON.stringify(email), id);
  await sendEmail({ mailer, emailCipher, productName: "Tapthru", contactEmail: "help@t.example" }, { id, encrypted });
  expect(mails[0]).toContain("The Tapthru account of 2026-11-30 at 12:04 UTC was created with this email address.");
});

it("says what to do about a change that another person made", async () => {
  await send("anna@example.com", "password-changed");
  const { source = "" } = server.received.at(-1) ?? {};
  expect(source).toContain("Subject: Your Tapthru password was changed");
  expect(source).toContain("help@tapthru.example");
  expect(source).not.toContain("If you did not expect this email, you can ignore it.");
});

it("fails without naming the address if the server refuses it", async () => {
  server.checkRecipient = () => {
    throw Object.assign(new Error("No such user ben@example.com"), { responseCode: 550 });
  };
  await expect(send("ben@example.com")).rejects.toThrow("The email was not sent: EENVELOPE 550");
  await expectCount("reset-password", "refused");
});

it("counts a server that refuses the login as failed", async () => {
  const url = server.url.replace("secret-word", "another-word");
  await expect(send("anna@example.com", "confirm-email", url)).rejects.toThrow("The email was not sent: EAUTH 535");
  await expectCount("confirm-email", "failed");
});
