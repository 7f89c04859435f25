import { EmailToSend } from "@tapthru/proto/jobs/catalogue";
import { createTransport } from "nodemailer";
import { Counter, type Registry } from "prom-client";
import * as z from "zod/mini";

const CONNECTION_TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 60_000;

export const NOTICES = ["domain-notices", "send-abuse-report-notices", "send-weekly-emails"] as const;
const KINDS = [...EmailToSend.shape.kind.options, ...NOTICES, "alert"] as const;

export interface Mail {
  kind: (typeof KINDS)[number];
  subject: string;
  text: string;
  /** The address that ends emails like it without a login; null if nothing keeps sending them. */
  stopUrl: string | null;
}

export interface Mailer {
  /** @throws NodemailerError if the server cannot be reached or refuses the login */
  check(kind: Mail["kind"]): Promise<void>;
  /** @throws NodemailerError */
  send(to: string, mail: Mail): Promise<void>;
}

interface MailerOptions {
  /** SMTP_URL */
  url: string;
  from: { name: string; address: string };
  /** False: a server without TLS is accepted too. */
  requiresTls: boolean;
  registry: Registry;
}

/** Without a pool: a pool sends a message again after some failures, also if the server may have accepted it. */
export function createMailer({ url, from, requiresTls, registry }: MailerOptions): Mailer {
  const transport = createTransport({
    url,
    requireTLS: requiresTls,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const emails = new Counter({
    name: "tapthru_emails_total",
    help: "Attempts to send emails by kind and result; refused: for this recipient; failed: the server is unavailable or refuses all",
    labelNames: ["kind", "result"],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that starts with its first count.
  for (const kind of KINDS) for (const result of ["sent", "refused", "failed"]) emails.inc({ kind, result }, 0);
  const countFailure = (kind: Mail["kind"]) => (error: unknown) => {
    emails.inc({ kind, result: sendFailure(SendError.parse(error)).isOfRecipient ? "refused" : "failed" });
    throw error;
  };
  return {
    async check(kind) {
      await transport.verify().catch(countFailure(kind));
    },
    async send(address, { kind, stopUrl, ...mail }) {
      const headers = {
        "Auto-Submitted": "auto-generated",
        ...(stopUrl !== null && {
          "List-Unsubscribe": `<${stopUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      };
      await transport.sendMail({ from, to: { name: "", address }, ...mail, headers }).catch(countFailure(kind));
      emails.inc({ kind, result: "sent" });
    },
  };
}

/** Fields of nodemailer's errors. The server's response may contain addresses: only its code of RFC 3463 is used. */
export const SendError = z.object({
  code: z.optional(z.string()),
  command: z.optional(z.string()),
  responseCode: z.optional(z.int()),
  response: z.optional(
    z.pipe(
      z.string(),
      z.transform((text) => /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1]),
    ),
  ),
});
export type SendError = z.infer<typeof SendError>;

const SETUP_ERRORS: ReadonlySet<string | undefined> = new Set(["EAUTH", "EDNS", "ETLS"]);

export interface SendFailure {
  /** `postponed`: certainly not accepted, and may be later. `failed`: refused for good, or not known. */
  result: "postponed" | "failed";
  isOfRecipient: boolean;
  /** True if the recipient never gets emails; not for a rule of a server, which may be about the sender. */
  isDeadAddress: boolean;
}

/** Codes of RFC 3463 for rules of the server, and for the address of the sender. */
const OF_SENDER = /^5\.(?:7\.|1\.[78]$)/;

export function sendFailure({ code, command, responseCode, response = "" }: SendError): SendFailure {
  const isDeadAddress = false;
  // The message was not sent: the address is not valid, or the server does not support its characters.
  if (code === "EENVELOPE" && responseCode === undefined) {
    return { result: "failed", isOfRecipient: true, isDeadAddress: true };
  }
  if (SETUP_ERRORS.has(code)) return { result: "postponed", isOfRecipient: false, isDeadAddress };
  if (responseCode === undefined) return { result: "failed", isOfRecipient: false, isDeadAddress };
  const isPermanent = responseCode >= 500;
  return {
    result: isPermanent ? "failed" : "postponed",
    isOfRecipient: isPermanent || command === "RCPT TO",
    // Some servers look at the recipient after the message.
    isDeadAddress: isPermanent && !OF_SENDER.test(response) && (command === "RCPT TO" || response.startsWith("5.1.")),
  };
}
