import * as z from "zod/mini";
import { resource } from "./call.ts";

/** The weekly email about links that need attention. */
export const DigestSettings = z.object({
  /** Whether this site sends emails. */
  isAvailable: z.boolean(),
  isOn: z.boolean(),
  /** The mail server has no such recipient: that switched the email off. */
  isRefused: z.boolean(),
  /** None is sent to an address that is not known to be the user's. */
  emailIsVerified: z.boolean(),
});
export type DigestSettings = z.infer<typeof DigestSettings>;

const accounts = resource("Accounts", { reads: "session", writes: "session" });

const settings = { isAvailable: true, isOn: true, isRefused: false, emailIsVerified: true };

export const getDigest = accounts.get("/api/digest", {
  summary: "Get the settings of the weekly email",
  description:
    "The email lists links that need attention. It is sent at most once in seven days, only to users with such links, and only to an address that is confirmed at the login service.",
  replies: { 200: DigestSettings },
  example: { replies: { 200: settings } },
});

export const saveDigest = accounts.put("/api/digest", {
  summary: "Switch the weekly email on or off",
  description: "The link in each email switches it off without a login.",
  body: z.strictObject({ isOn: z.boolean() }),
  replies: { 200: DigestSettings },
  records: "digest.changed",
  example: { body: { isOn: true }, replies: { 200: settings } },
});

/** Ends the weekly emails, or the alerts of a webhook: a page with a button, and the request of that button and of mail programs (RFC 8058). Neither needs a session. */
export const UNSUBSCRIBE_PATH = "/api/digest/unsubscribe";
export const UnsubscribeQuery = z.object({ token: z.uuid() });
export const unsubscribeUrl = (site: string, token: string) => `${site}${UNSUBSCRIBE_PATH}?token=${token}`;
