import * as z from "zod/mini";
import { defineJob, type JobCatalogue } from "./definition.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const NoPayload = z.strictObject({});
/** Options of a job that its schedule repeats soon. */
const ONCE = { payload: NoPayload, attempts: 1, backoffMs: SECOND_MS };
const REPEATED = { payload: NoPayload, attempts: 5, backoffMs: 10 * SECOND_MS };

/** `url` is the link that the email is about. */
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
  /** Of the account that the email is about. */
  displayName: z.optional(z.string()),
  url: z.string(),
});
export type EmailToSend = z.infer<typeof EmailToSend>;

export const JOBS = {
  /** Checks the DNS of own domains that are due, and whether requests to them arrive here. */
  "check-domains": { ...ONCE, schedule: { everyMs: 15 * SECOND_MS, atStart: true } },
  /** Verifies whether the products of routed links are sold in the stores for which their owners have a tag. */
  "check-product-stores": { ...ONCE, schedule: { everyMs: MINUTE_MS } },
  /** Queues a rebuild of the redirect records if Redis lost them. */
  "check-redirects": { ...ONCE, schedule: { everyMs: 15 * SECOND_MS, atStart: true } },
  /** Moves the links of removed domains to the site's own host, and those of a domain that another user has now. */
  "move-links-of-removed-domains": { ...ONCE, schedule: { everyMs: MINUTE_MS } },
  /** Orders the certificates that are due, for own domains and the site's own host. */
  "order-certificates": { ...ONCE, schedule: { everyMs: 15 * SECOND_MS, atStart: true } },
  "propagate-metadata": defineJob({
    payload: z.strictObject({
      /** The id of a row in `products`. */
      canonicalUrl: z.string(),
      /** The row's revision, to be propagated to all of its links. */
      revision: z.int().check(z.positive()),
    }),
    attempts: 5,
    backoffMs: 5 * SECOND_MS,
    dedupeId: ({ canonicalUrl, revision }) => `${revision} ${canonicalUrl}`,
  }),
  /** Deletes anonymous links past their expiry; their codes are never used again. */
  "purge-expired-links": { ...REPEATED, schedule: { everyMs: HOUR_MS, atStart: true } },
  /** Deletes rows that are no longer needed, or whose time is over, and creates the partitions of the next month. */
  "purge-old-rows": { ...REPEATED, schedule: { everyMs: 10 * MINUTE_MS } },
  /** Reads a file of Amazon's reports. It starts again each time, and nothing of an unfinished run remains. */
  "read-earnings": defineJob({
    /** `read`: the row's `reads`; the job does nothing if the row has another value. */
    payload: z.strictObject({ importId: z.uuid(), read: z.int().check(z.nonnegative()) }),
    attempts: 5,
    backoffMs: 2 * SECOND_MS,
    concurrency: 2,
    dedupeId: ({ importId, read }) => `${read} ${importId}`,
  }),
  /** Writes the redirect record of every link to Redis, in batches of one job each. */
  "rebuild-redirects": defineJob({
    payload: z.strictObject({
      /** The last id of the previous batch; 0 starts from the beginning. */
      afterId: z.int().check(z.nonnegative()),
    }),
    attempts: 5,
    backoffMs: 2 * SECOND_MS,
    dedupeId: ({ afterId }) => `after ${afterId}`,
  }),
  /** Fetches the metadata of a page once for all links to it. */
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
    dedupeId: ({ canonicalUrl, attempt }) => `${attempt} ${canonicalUrl}`,
  }),
  /** Sends an email that a person is waiting for. */
  "send-email": defineJob({
    payload: z.strictObject({
      id: z.uuid(),
      /** An EmailToSend as JSON, encrypted, because its link is a secret. The owner is `id`. */
      sealed: z.string(),
    }),
    attempts: 6,
    backoffMs: 5 * SECOND_MS,
    concurrency: 4,
    dedupeId: ({ id }) => id,
  }),
  /** Sends the operators one email about all links that were reported since the last one, at most every ten minutes. */
  "send-abuse-report-notices": { ...ONCE, schedule: { everyMs: MINUTE_MS } },
  /** Sends each user with links that need attention an email, at most one in seven days. */
  "send-weekly-emails": { ...ONCE, schedule: { everyMs: HOUR_MS, atStart: true } },
  /** Queues the jobs of files of reports that the queue lost, and deletes files and imports that are no longer needed. */
  "sweep-earnings": { ...REPEATED, schedule: { everyMs: 15 * SECOND_MS } },
  /** Queues the page reads that are due according to Postgres, as the queue's Redis may have lost them. */
  "sweep-products": { ...ONCE, schedule: { everyMs: 30 * SECOND_MS } },
  /** Determines the states of links that are new, that got another destination, or whose page's state changed. */
  "update-link-health": { ...ONCE, schedule: { everyMs: 10 * SECOND_MS, atStart: true } },
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
