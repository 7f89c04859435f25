import * as z from "zod/mini";
import { User } from "./accounts.ts";
import { AmazonAdsConnection } from "./amazon-ads.ts";
import type { Call } from "./call.ts";
import { Link } from "./links.ts";

/** Everything that is kept of a user, but what opens his account or another's: keys, tokens, hashes. */
export const AccountExport = z.object({
  exportedAt: z.iso.datetime(),
  user: z.extend(User, { firebaseUid: z.string() }),
  sessions: z.array(
    z.object({
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      userAgent: z.nullable(z.string()),
    }),
  ),
  amazonAds: z.nullable(AmazonAdsConnection),
  /** The newest first. */
  links: z.array(Link),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = {
  method: "GET",
  path: "/api/account/export",
  replies: { 200: AccountExport },
} as const satisfies Call;

/**
 * Deletes the user, his links, sessions and connections, and his identity at the identity provider. The
 * answer means that it will happen, whatever fails meanwhile. `email` is the account's own, typed anew.
 */
export const deleteAccount = {
  method: "DELETE",
  path: "/api/account",
  body: z.strictObject({ email: z.string() }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
