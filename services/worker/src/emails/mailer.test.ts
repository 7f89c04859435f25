import { createCipher } from "@tapthru/core/platform/cipher";
import { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import { expect, it } from "vitest";
import type * as z from "zod/mini";
import { sendEmail } from "../jobs/send-email.ts";
import { alertMail } from "../webhooks/alert.ts";
import { type Mail, sendFailure } from "./mailer.ts";

const NAME = "WIN 500€: https://evil.example/x";
const SITE = "https://t.example";
const TIME = "2026-11-28T12:00:00.000Z";
const STOP = `${SITE}/stop`;
const secrets = ["a-key-that-encrypts-the-emails-of-tests"];

const NO_NAMES: Record<string, string> = {
  host: "an own domain, which is an address",
  marketplace: "a store",
  shortCode: "chosen within a pattern",
  shortUrl: "an address of this site",
  webUrl: "an address of Amazon",
};

function filled(schema: z.core.$ZodType, field = ""): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object")
    return Object.fromEntries(Object.entries(def.shape).map(([key, value]) => [key, filled(value, key)]));
  if (def.type === "array") return [filled(def.element)];
  if (def.type === "enum") return Object.values(def.entries)[0];
  if (def.type === "literal") return def.values[0];
  if (def.type === "number") return 1;
  if (def.type === "boolean") return true;
  if ("innerType" in def) return filled(def.innerType, field);
  if ("format" in def)
    return def.format === "uuid" ? crypto.randomUUID() : TIME.slice(0, def.format === "date" ? 10 : 24);
  return field in NO_NAMES ? "x" : NAME;
}

async function mailOf(kind: EmailToSend["kind"]): Promise<Mail> {
  const sent: Mail[] = [];
  const mailer = { check: async () => {}, send: async (_to: string, mail: Mail) => void sent.push(mail) };
  const emailCipher = createCipher(secrets);
  const email: EmailToSend = { kind, to: "anna@example.com", displayName: NAME, url: `${SITE}/x` };
  const site = { productName: "Tapthru", contactEmail: "help@t.example" };
  await sendEmail(
    { mailer, emailCipher, ...site },
    { id: "1", encrypted: emailCipher.encrypt(JSON.stringify(email), "1") },
  );
  return sent[0] as Mail;
}

const events = WebhookPayload.def.options.map((option) => WebhookPayload.parse(filled(option)));

type Row = [kind: string, mailOfKind: () => Promise<Mail> | Pick<Mail, "subject" | "text">];

it.each<Row>([
  ...EmailToSend.shape.kind.options.map((kind): Row => [kind, () => mailOf(kind)]),
  ...events.map(
    (event): Row => [`alert about ${event.type}`, () => alertMail([{ body: event, readable: event }], SITE, STOP)],
  ),
])("no name is an address in the email: %s", async (_kind, mailOfKind) => {
  expect(JSON.stringify(await mailOfKind())).not.toMatch(/evil\.example|:\/\/evil|example\/x"/);
});

it.each([
  [{ code: "EDNS", command: "CONN" }, "postponed", false, false],
  [{ code: "ETLS", command: "STARTTLS" }, "postponed", false, false],
  [{ code: "EAUTH", command: "AUTH PLAIN", responseCode: 535 }, "postponed", false, false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 450 }, "postponed", true, false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550 }, "failed", true, true],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 554, response: "5.7.1" }, "failed", true, false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "5.1.8" }, "failed", true, false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 552, response: "5.2.2" }, "failed", true, true],
  [{ code: "EENVELOPE", command: "API" }, "failed", true, true],
  [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 421 }, "postponed", false, false],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 451 }, "postponed", false, false],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 554 }, "failed", true, false],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 550, response: "5.1.10" }, "failed", true, true],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 550, response: "5.7.26" }, "failed", true, false],
  // The server may have accepted the message.
  [{ code: "ETIMEDOUT", command: "CONN" }, "failed", false, false],
  [{ code: "ECONNECTION", command: "CONN" }, "failed", false, false],
  [{}, "failed", false, false],
] as const)("an error of the mail server %j is %s", (error, result, isOfRecipient, isDeadAddress) => {
  expect(sendFailure(error)).toEqual({ result, isOfRecipient, isDeadAddress });
});
