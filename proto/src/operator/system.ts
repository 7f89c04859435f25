import * as z from "zod/mini";
import { resource } from "../call.ts";
import { notFound } from "../general-errors.ts";

const FailedJob = z.object({
  id: z.string(),
  failedAt: z.iso.datetime(),
  attempts: z.int(),
  reason: z.string(),
});

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

const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const getSystem = operator.get("/api/operator/system", {
  summary: "Get what fails, and what is off",
  description: "What does not respond within a second is null.",
  replies: {
    200: z.object({
      /** Of queues that have some. */
      failedJobs: z.nullable(z.array(FailedJobs)),
      /** The next ones to be tried again, and the number of all. */
      failedItems: z.nullable(z.object({ count: z.int(), items: z.array(FailedItem) })),
      features: z.array(Feature),
      /** The address of the proxy that this request came from, if the gateway does not trust it: its visitors count as one. */
      untrustedProxy: z.nullable(z.string()),
    }),
  },
  errors: [notFound],
  example: {
    replies: {
      200: {
        failedJobs: [
          {
            job: "scrape-metadata",
            count: 1,
            latest: [
              {
                id: "1204",
                failedAt: "2026-11-26T08:00:00.000Z",
                attempts: 5,
                reason: "The page did not respond in time",
              },
            ],
          },
        ],
        failedItems: {
          count: 1,
          items: [
            {
              kind: "check-domains",
              key: "7",
              error: "value is out of range",
              attempts: 3,
              firstFailedAt: "2026-11-26T08:00:00.000Z",
              retryAt: "2026-11-26T08:07:00.000Z",
            },
          ],
        },
        features: [{ name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] }],
        untrustedProxy: null,
      },
    },
  },
});

export const retryItems = operator.post("/api/operator/failed-items/retry", {
  summary: "Retry failed items now",
  description: "Each is tried again in the next round of its job.",
  replies: { 200: z.object({ count: z.int() }) },
  errors: [notFound],
  records: "items.retried",
  example: { replies: { 200: { count: 1 } } },
});

const params = z.object({ job: z.string().check(z.regex(/^[a-z-]{1,60}$/)) });
const body = z.strictObject({
  /** One failed job; without it all of the queue. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

const ofFailedJobs = {
  params,
  body,
  replies: { 200: z.object({ count: z.int() }) },
  example: {
    params: { job: "scrape-metadata" },
    body: { id: "1204" },
    replies: { 200: { count: 1 } },
  },
};

export const retryJobs = operator.post("/api/operator/queues/:job/retry", {
  summary: "Queue failed jobs again",
  ...ofFailedJobs,
});

export const discardJobs = operator.post("/api/operator/queues/:job/discard", {
  summary: "Delete failed jobs",
  ...ofFailedJobs,
});
