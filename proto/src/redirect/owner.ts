import * as z from "zod/mini";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";

const Tags = z.record(z.string(), z.string().check(z.regex(TAG_PATTERN)));

export const OwnerChannel = z.object({
  tags: Tags,
  fallbackUrl: z.optional(z.string()),
});

export const OwnerRecord = z.object({
  state: z.literal("owner"),
  revision: z.int().check(z.positive()),
  isBlocked: z.optional(z.boolean()),
  creatorName: z.optional(z.string()),
  showsDisclosure: z.optional(z.boolean()),
  assistantsGetTag: z.optional(z.boolean()),
  isRouted: z.optional(z.boolean()),
  searches: z.optional(z.boolean()),
  oneLink: z.array(z.string()),
  defaultChannel: z._default(z.nullable(z.int()), null),
  channels: z.record(z.string(), OwnerChannel),
  /** The last tags that channels had before, also one that was just deleted, by id: of links that follow one without a present tag. */
  keptTags: z.optional(z.record(z.string(), Tags)),
});
export type OwnerRecord = z.infer<typeof OwnerRecord>;

/** The key of an owner's record in place of a short code. No short code has a tilde. */
export function ownerKey(userId: number): string {
  return `~${userId}`;
}

export const OWNER_KEY_PATTERN: RegExp = /^~\d{1,10}$/;
