import * as z from "zod/mini";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";

/** Tags by marketplace. */
const Tags = z.record(z.string(), z.string().check(z.regex(TAG_PATTERN)));

export const OwnerChannel = z.object({
  tags: Tags,
  /** The fallback of links that have none of their own. */
  fallbackUrl: z.optional(z.string()),
});

/** What the user of an account decided for all of their links. */
export const OwnerRecord = z.object({
  state: z.literal("owner"),
  revision: z.int().check(z.positive()),
  /** Whether an operator blocked the user: none of their links opens. */
  isBlocked: z.optional(z.boolean()),
  /** The displayed name. Absent: none is shown. */
  creatorName: z.optional(z.string()),
  /** Whether pages say that the user earns as an Amazon Associate. */
  showsDisclosure: z.optional(z.boolean()),
  /** Whether assistants get the tag. */
  assistantsGetTag: z.optional(z.boolean()),
  /** Whether visitors of links that do not say so themselves are sent to their own stores. */
  isRouted: z.optional(z.boolean()),
  /** Whether visitors search in stores that are not known to sell the product. */
  searches: z.optional(z.boolean()),
  /** The marketplaces to which Amazon OneLink sends visitors itself. */
  oneLink: z.array(z.string()),
  /** The id of the channel of links without one. */
  defaultChannel: z._default(z.nullable(z.int()), null),
  /** By id. */
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
