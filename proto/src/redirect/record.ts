import * as z from "zod/mini";
import { OwnerRecord } from "./owner.ts";

const revision = z.int().check(z.positive());

/** Redis holds no nulls: for a million links they would take 80 MB. */
const orNull = <Field extends z.core.SomeType>(field: Field) => z._default(z.nullable(field), null);

/** The link's own fields. The preview card shows `title` to `siteName`. */
export const LiveRecord = z.object({
  state: z.literal("live"),
  revision,
  webUrl: z.string(),
  /** Unix milliseconds at which the link expires; null for links without expiry. */
  expiresAt: orNull(z.int()),
  /** Unix milliseconds at which the link starts. Absent: it has no start. */
  startsAt: z.optional(z.int()),
  title: orNull(z.string()),
  description: orNull(z.string()),
  imageUrl: orNull(z.string()),
  siteName: orNull(z.string()),
  /** The key of the owner's record, which says the rest. Absent: the link has no owner. */
  owner: z.optional(z.string()),
  /** Absent: the owner's default channel. */
  channelId: z.optional(z.int()),
  /** True if the tag is that of the channel: `webUrl` has an empty one. */
  followsChannel: z.optional(z.boolean()),
  /** True if visitors are sent to their own stores. Absent if the owner's setting decides. */
  isRouted: z.optional(z.boolean()),
  /** The marketplaces, other than the link's, that are known to sell its product. */
  soldIn: z.optional(z.array(z.string())),
  /** The product's title where `title` is the owner's. */
  productTitle: z.optional(z.string()),
  isProductGone: z.optional(z.boolean()),
  fallbackUrl: z.optional(z.string()),
  /** How its owner wants it to open. Absent: in the app. */
  opening: z.optional(z.enum(["tap", "browser"])),
  isUntagged: z.optional(z.boolean()),
});

/** A tombstone: it prevents an older live record from being stored again. */
const GoneRecord = z.object({
  state: z.literal("gone"),
  revision,
  reason: z.enum(["deleted", "expired", "taken-down"]),
});

/** Redis's record for a short code or an owner: a projection of Postgres that may be lost at any time. */
export const RedirectRecord = z.discriminatedUnion("state", [LiveRecord, GoneRecord, OwnerRecord]);
export type RedirectRecord = z.infer<typeof RedirectRecord>;
export type LiveRecord = z.infer<typeof LiveRecord>;

export function redirectKey(shortCode: string): string {
  return `redirect:${shortCode}`;
}

/** Channel of changes, published when a record is stored: the code, a space, the revision. */
export const REDIRECT_CHANGES_CHANNEL = "redirect:changes";

/** Exists if all records were as new as Postgres at some time within `REDIRECTS_UP_TO_DATE_TTL_MS`. */
export const REDIRECTS_UP_TO_DATE_KEY = "projection:up-to-date";

/** Exists until the redirect records are lost. In a cluster it is spread over the slots: the name decides how evenly. */
export const PROJECTION_KEY = "projection:state";
