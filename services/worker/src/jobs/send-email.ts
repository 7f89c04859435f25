import { EmailToSend, type JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobPayload } from "@tapthru/proto/jobs/definition";
import { messages } from "@tapthru/proto/rules/messages";
import { nameInEmail } from "@tapthru/proto/rules/names";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type Mail, SendError } from "../emails/mailer.ts";

type Site = Pick<App, "productName" | "contactEmail">;

/** @throws Error if the email was not sent; the job is repeated */
export async function sendEmail(
  { mailer, emailSealer, productName, contactEmail }: Site & Pick<App, "mailer" | "emailSealer">,
  { id, sealed }: JobPayload<(typeof JOBS)["send-email"]>,
): Promise<void> {
  if (mailer === null) throw new Error("SMTP_URL is not set");
  if (emailSealer === null) throw new Error("ENCRYPTION_KEYS is not set");
  const email = z.parse(EmailToSend, JSON.parse(emailSealer.open(sealed, id)));
  try {
    await mailer.send(email.to, compose(email, { productName, contactEmail }));
  } catch (error) {
    // The error itself may contain the address.
    const { code, responseCode } = SendError.parse(error);
    throw new Error(`The email was not sent: ${code ?? "unknown"} ${responseCode ?? ""}`.trim());
  }
}

function compose({ kind, displayName = "", url }: EmailToSend, site: Site): Mail {
  const { subject, text, ending = messages.ignoreEmail } = messages.emails[kind](site, nameInEmail(displayName));
  return {
    subject,
    text: [text, url, ending].join("\n\n"),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
