import { createSealer } from "@tapthru/runtime/sealer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestMailServer, type TestMailServer } from "../testing/test-mail-server.ts";
import { createMailer } from "./mailer.ts";
import { sendEmail } from "./send-email.ts";

const id = "0198f5a0-6f0e-7d0a-9f5e-6a1b2c3d4e5f";
const emailSealer = createSealer(["a-key-that-encrypts-the-emails-of-tests"]);

let server: TestMailServer;
beforeAll(async () => {
  server = await startTestMailServer();
});
afterAll(() => server.stop());

function send(to: string) {
  const mailer = createMailer({
    url: server.url,
    from: { name: "Tapthru", address: "hello@tapthru.example" },
    requiresTls: false,
  });
  const email = { kind: "reset-password", to, url: "https://t.example/reset-password#token=abc" };
  const sealed = emailSealer.seal(JSON.stringify(email), id);
  return sendEmail({ mailer, emailSealer, productName: "Tapthru" }, { id, sealed });
}

it("sends the link to the address", async () => {
  await send("anna@example.com");
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: "hello@tapthru.example", to: ["anna@example.com"] });
  expect(mail?.source).toContain("Subject: Choose a new password for Tapthru");
  expect(mail?.source).toContain("https://t.example/reset-password#token=abc");
});

it("fails without naming the address if the server refuses it", async () => {
  server.checkRecipient = () => {
    throw Object.assign(new Error("No such user ben@example.com"), { responseCode: 550 });
  };
  await expect(send("ben@example.com")).rejects.toThrow("The email was not sent: EENVELOPE 550");
});
