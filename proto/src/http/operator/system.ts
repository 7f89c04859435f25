import * as z from "zod/mini";
import type { Call } from "../call.ts";

const FailedJob = z.object({
  id: z.string(),
  failedAt: z.iso.datetime(),
  attempts: z.int(),
  reason: z.string(),
});

/** The failed jobs of a queue. */
const FailedJobs = z.object({
  job: z.string(),
  count: z.int(),
  /** The latest ones. */
  latest: z.array(FailedJob),
});
export type FailedJobs = z.infer<typeof FailedJobs>;

/** A row, user, domain or file that failed in a job and is set aside until its next attempt. */
export const FailedItem = z.object({
  /** The name of the job, mostly. */
  kind: z.string(),
  key: z.string(),
  error: z.string(),
  attempts: z.int(),
  firstFailedAt: z.iso.datetime(),
  retryAt: z.iso.datetime(),
});
export type FailedItem = z.infer<typeof FailedItem>;

/** What may be off. */
export const FEATURES = [
  "sign-up",
  "password-login",
  "openid-connect",
  "firebase",
  "emails",
  "domains",
  "webhooks",
  "page-reads",
  "creators-api",
  "amazon-ads",
  "clickhouse",
  "rate-limits",
] as const;
export type FeatureName = (typeof FEATURES)[number];

const Feature = z.object({
  /** One of FEATURES, or of those of a newer release. */
  name: z.string(),
  isOn: z.boolean(),
  /** The settings that turn it on. */
  settings: z.array(z.string()),
});

/** What fails, and what is off. Null: Redis or Postgres does not respond within a second. */
export const getSystem = {
  method: "GET",
  path: "/api/operator/system",
  access: "operator",
  replies: {
    200: z.object({
      /** Of queues that have some. */
      failedJobs: z.nullable(z.array(FailedJobs)),
      /** The next ones to be tried again, and the number of all. */
      failedItems: z.nullable(z.object({ count: z.int(), items: z.array(FailedItem) })),
      features: z.array(Feature),
    }),
  },
} as const satisfies Call;

/** Ends the pauses of all failed items: the next rounds of their jobs try them again. */
export const retryItems = {
  method: "POST",
  path: "/api/operator/failed-items/retry",
  access: "operator",
  replies: { 200: z.object({ count: z.int() }) },
} as const satisfies Call;

const params = z.object({ job: z.string().check(z.regex(/^[a-z-]{1,60}$/)) });
const body = z.strictObject({
  /** One failed job; without it all of the queue. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

/** Queues failed jobs again, each with its full number of attempts. */
export const retryJobs = {
  method: "POST",
  path: "/api/operator/queues/:job/retry",
  access: "operator",
  params,
  body,
  replies: { 200: z.object({ count: z.int() }) },
} as const satisfies Call;

/** Deletes failed jobs. */
export const discardJobs = {
  method: "POST",
  path: "/api/operator/queues/:job/discard",
  access: "operator",
  params,
  body,
  replies: { 200: z.object({ count: z.int() }) },
} as const satisfies Call;
