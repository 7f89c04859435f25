import * as z from "zod/mini";
import { defineJob, type JobCatalogue } from "./definition.ts";

const SECOND_MS = 1_000;

export const EmailToSend = z.strictObject({
  kind: z.enum([
    "change-email",
    "confirm-email",
    "email-changed",
    "existing-account",
    "invitation",
    "key-created",
    "member-joined",
    "passkey-created",
    "password-changed",
    "reset-password",
    "two-factor-disabled",
    "two-factor-enabled",
  ]),
  to: z.string(),
  displayName: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  url: z.string(),
});
export type EmailToSend = z.infer<typeof EmailToSend>;

/** The kinds of rows in Postgres that the worker finds when they are due. Each has a queue with its name. */
export const DUE_KINDS = [
  "check-domains",
  "check-product-stores",
  "domain-notices",
  "move-links-of-removed-domains",
  "order-certificates",
  "purge-expired-links",
  "purge-old-rows",
  "read-earnings",
  "read-exchange-rates",
  "rebuild-redirects",
  "send-abuse-report-notices",
  "send-webhooks",
  "send-weekly-emails",
  "sweep-earnings",
  "sweep-products",
  "update-hosts",
  "update-link-health",
] as const;

export const JOBS = {
  "scrape-metadata": defineJob({
    payload: z.strictObject({
      /** The id of a row in `products`. */
      canonicalUrl: z.string(),
      /** The row's `attempts`; the job does nothing if the row has another value or is not due. */
      attempt: z.int().check(z.nonnegative()),
    }),
    attempts: 3,
    backoffMs: 5 * SECOND_MS,
    concurrency: 4,
    // The number of pages is up to users. The worker's sweep finds those that were dropped.
    maxAhead: 500,
    dedupeId: ({ canonicalUrl, attempt }) => `${attempt} ${canonicalUrl}`,
  }),
  "send-email": defineJob({
    payload: z.strictObject({
      id: z.uuid(),
      /** An EmailToSend as JSON, encrypted, because its link is a secret. The owner is `id`. */
      encrypted: z.string(),
    }),
    attempts: 6,
    backoffMs: 5 * SECOND_MS,
    concurrency: 4,
    dedupeId: ({ id }) => id,
  }),
} satisfies JobCatalogue;

/** The order of page reads: pages of new links before refreshed and missed ones. */
const TIERS = ["member", "member-refresh", "anonymous", "anonymous-refresh"] as const;
export type ReadTier = (typeof TIERS)[number];

/** Reads beyond it share the last rank. Four tiers stay below BullMQ's limit of 2,097,152. */
const RANKS = 100_000;

/**
 * The priority of a page read; lower numbers run first.
 * @param rank recent reads of the same account or address, from 0: its second read runs after the first read of all
 *   others
 */
export function readPriority(tier: ReadTier, rank = 0): number {
  return 1 + TIERS.indexOf(tier) * RANKS + Math.min(rank, RANKS - 1);
}
