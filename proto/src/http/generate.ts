import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { channelId, linkDomain } from "./fields.ts";

export const GeneratedLink = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  deepLink: z.string(),
  originalUrl: z.string(),
  imageUrl: z.nullable(z.string()),
  title: z.nullable(z.string()),
});
export type GeneratedLink = z.infer<typeof GeneratedLink>;

/**
 * Creates a short link: 201 with a new one. 200 with an existing one if its `Idempotency-Key` was used before, or if the
 * visitor has no account and created it for the same address within the last ten minutes. `domain`, `channelId` and `usesChannelTag`: as in
 * `NewLink`, for users.
 */
export const generate = {
  method: "POST",
  path: "/api/generate",
  body: z.strictObject({
    url: z.string(),
    domain: z.optional(linkDomain),
    channelId: z.optional(channelId),
    usesChannelTag: z.optional(z.boolean()),
  }),
  replies: { 200: GeneratedLink, 201: GeneratedLink },
} as const satisfies Call;

/** A UUID, or at least 22 base64url characters (128 bits). */
export const IDEMPOTENCY_KEY_PATTERN: RegExp =
  /^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[A-Za-z0-9_-]{22,200})$/;
