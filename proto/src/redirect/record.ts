import * as z from "zod/mini";

const revision = z.int().check(z.positive());

/** A link that resolves. `title` to `siteName` are what the preview card shows. */
const LiveRecord = z.object({
  state: z.literal("live"),
  revision,
  webUrl: z.string(),
  /** Unix milliseconds from which the link is gone; null for links that stay. */
  expiresAt: z.nullable(z.int()),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
});

/** A tombstone: it keeps an older live record from coming back. */
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

/** Where a change is announced as soon as its record is put: the code, a space, the revision. */
export const REDIRECT_CHANGES_CHANNEL = "redirect:changes";

/** Exists while no record was older than Postgres at some time within `REDIRECTS_UP_TO_DATE_TTL_MS`. */
export const REDIRECTS_UP_TO_DATE_KEY = "redirect:up-to-date";
