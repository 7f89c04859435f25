import * as z from "zod/mini";
import { LinkFallback } from "./link-fallback.ts";
import { LinkRouting } from "./link-routing.ts";

const revision = z.int().check(z.positive());

/** A link that resolves. `title` to `siteName` are what the preview card shows. */
const LiveRecord = z.object({
  state: z.literal("live"),
  revision,
  webUrl: z.string(),
  /** Unix milliseconds at which the link expires; null for links without expiry. */
  expiresAt: z.nullable(z.int()),
  /** Unix milliseconds at which the link starts. Absent: it has no start. */
  startsAt: z.optional(z.int()),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  /** Null or absent: every visitor opens `webUrl`. */
  routing: z.optional(z.nullable(LinkRouting)),
  /** Whether the owner lets assistants have the tag. */
  assistantsGetTag: z.optional(z.boolean()),
  /** Null or absent: the link has none. */
  fallback: z.optional(z.nullable(LinkFallback)),
  /** How its owner wants it to open. Absent: in the app. */
  opening: z.optional(z.enum(["tap", "browser"])),
  /** The owner's displayed name. Absent: none is shown. */
  creatorName: z.optional(z.string()),
  /** Whether pages say that the owner earns as an Amazon Associate. */
  showsDisclosure: z.optional(z.boolean()),
  /** Whether this code opens the link without affiliate tags. */
  isUntagged: z.optional(z.boolean()),
});

/** A tombstone: it prevents an older live record from being stored again. */
const GoneRecord = z.object({
  state: z.literal("gone"),
  revision,
  reason: z.enum(["deleted", "expired", "taken-down"]),
});

/** What Redis holds for a short code: a projection of Postgres that may be lost at any time. */
export const RedirectRecord = z.discriminatedUnion("state", [LiveRecord, GoneRecord]);
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
