import { createSealer } from "@tapthru/core/platform/sealer";
import type { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMailer } from "../emails/mailer.ts";
import { startTestMailServer, type TestMailServer } from "../testing/test-mail-server.ts";
import { sendEmail } from "./send-email.ts";

const id = "0198f5a0-6f0e-7d0a-9f5e-6a1b2c3d4e5f";
const emailSealer = createSealer(["a-key-that-encrypts-the-emails-of-tests"]);

let server: TestMailServer;
beforeAll(async () => {
  server = await startTestMailServer();
});
afterAll(() => server.stop());

function send(to: string, kind: EmailToSend["kind"] = "reset-password") {
  const mailer = createMailer({
    url: server.url,
    from: { name: "Tapthru", address: "hello@tapthru.example" },
    requiresTls: false,
  });
  const url = "https://t.example/reset-password#token=abc";
  const email: EmailToSend = { kind, to, displayName: "Anna", url };
  const sealed = emailSealer.seal(JSON.stringify(email), id);
  const site = { productName: "Tapthru", contactEmail: "help@tapthru.example" };
  return sendEmail({ mailer, emailSealer, ...site }, { id, sealed });
}

it("sends the link to the address", async () => {
  await send("anna@example.com");
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: "hello@tapthru.example", to: ["anna@example.com"] });
  expect(mail?.source).toContain("Subject: Choose a new password for Tapthru");
  const text = mail?.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(text).toContain("https://t.example/reset-password#token=abc");
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
});
