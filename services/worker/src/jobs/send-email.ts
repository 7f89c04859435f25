import { EmailToSend, type JOBS } from "@tapthru/proto/jobs/catalogue";
import type { JobPayload } from "@tapthru/proto/jobs/definition";
import { nameInEmail } from "@tapthru/proto/rules/names";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type Mail, SendError } from "../emails/mailer.ts";

type Site = Pick<App, "productName" | "contactEmail">;

/** @throws Error if the email was not sent; the job is repeated */
export async function sendEmail(
  { mailer, emailCipher, productName, contactEmail }: Site & Pick<App, "mailer" | "emailCipher">,
  { id, encrypted }: JobPayload<(typeof JOBS)["send-email"]>,
): Promise<void> {
  if (mailer === null) throw new Error("SMTP_URL is not set");
  if (emailCipher === null) throw new Error("ENCRYPTION_KEYS is not set");
  const email = z.parse(EmailToSend, JSON.parse(emailCipher.decrypt(encrypted, id)));
  try {
    await mailer.send(email.to, compose(email, { productName, contactEmail }));
  } catch (error) {
    // The error itself may contain the address.
    const { code, responseCode } = SendError.parse(error);
    throw new Error(`The email was not sent: ${code ?? "unknown"} ${responseCode ?? ""}`.trim());
  }
}

function compose({ kind, displayName, createdAt = "", url }: EmailToSend, site: Site): Mail {
  const time = `${createdAt.slice(0, 10)} at ${createdAt.slice(11, 16)} UTC`;
  const account = displayName ? `account “${nameInEmail(displayName)}”` : `account of ${time}`;
  const { subject, text, ending = ignoreEmail } = emails[kind](site, account);
  return {
    kind,
    subject,
    text: [text, url, ending].join("\n\n"),
    stopUrl: null,
  };
}

interface EmailText {
  subject: string;
  text: string;
  ending?: string;
}

const emails: Record<EmailToSend["kind"], (site: Site, account: string) => EmailText> = {
  "change-email": ({ productName }, account) => ({
    subject: `Confirm your new email address for ${productName}`,
    text: `The ${productName} ${account} is about to get this email address. If it is your account, open this link within an hour:`,
  }),
  "confirm-email": ({ productName }, account) => ({
    subject: `Confirm your email address for ${productName}`,
    text: `The ${productName} ${account} was created with this email address. If you created it, open this link within an hour to confirm that the address is yours:`,
  }),
  "email-changed": (site, account) =>
    notice(site, account, "email address was changed", "has another email address now"),
  "existing-account": ({ productName }) => ({
    subject: `You already have a ${productName} account`,
    text: "A new account was created with your email address, which already has an account. If you created it, log in to your earlier account instead; you can also choose a new password there. The new account has its own password:",
  }),
  "key-created": (site, account) => notice(site, account, "account has a new API key", "has a new API key"),
  "member-joined": (site, account) => notice(site, account, "account has a new member", "has a new member"),
  "passkey-created": (site, account) => notice(site, account, "account has a new passkey", "has a new passkey"),
  "password-changed": (site, account) => notice(site, account, "password was changed", "has a new password"),
  "reset-password": ({ productName }, account) => ({
    subject: `Choose a new password for ${productName}`,
    text: `Open this link within an hour to choose a new password for the ${productName} ${account}:`,
  }),
  "two-factor-disabled": (site, account) =>
    notice(site, account, "two-factor login was turned off", "no longer asks for a code when you log in"),
  "two-factor-enabled": (site, account) =>
    notice(
      site,
      account,
      "two-factor login was turned on",
      "asks for a code from an authenticator app when you log in with your password",
    ),
  invitation: ({ productName }) => ({
    subject: `You are invited to ${productName}`,
    text: "Open this link within seven days to create your account:",
  }),
};
const ignoreEmail = "If you did not expect this email, you can ignore it.";

function notice({ productName, contactEmail }: Site, account: string, title: string, change: string): EmailText {
  return {
    subject: `Your ${productName} ${title}`,
    text: `The ${productName} ${account} ${change}. If it was you, there is nothing to do.\n\nIf it was not you, change your password, check your email address, two-factor login, passkeys, API keys and members, and log out everywhere:`,
    ending: `If you can no longer log in, choose “Forgot your password?” on the login page, or write to ${contactEmail}.`,
  };
}
