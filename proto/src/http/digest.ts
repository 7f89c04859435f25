import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** The weekly email about links that need attention. */
export const DigestSettings = z.object({
  /** Whether this site sends emails. */
  isAvailable: z.boolean(),
  isOn: z.boolean(),
  /** None is sent to an address that is not known to be the user's. */
  emailIsVerified: z.boolean(),
});
export type DigestSettings = z.infer<typeof DigestSettings>;

export const getDigest = {
  method: "GET",
  path: "/api/digest",
  access: "session",
  replies: { 200: DigestSettings },
} as const satisfies Call;

export const saveDigest = {
  method: "PUT",
  path: "/api/digest",
  access: "session",
  body: z.strictObject({ isOn: z.boolean() }),
  replies: { 200: DigestSettings },
} as const satisfies Call;

/** A page with a button, and the request of that button and of mail programs (RFC 8058). Neither needs a session. */
export const UNSUBSCRIBE_PATH = "/api/digest/unsubscribe";
export const UnsubscribeQuery = z.object({ token: z.uuid() });
