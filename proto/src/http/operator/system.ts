import * as z from "zod/mini";
import type { Call } from "../call.ts";

const FailedJob = z.object({
  id: z.string(),
  failedAt: z.iso.datetime(),
  attempts: z.int(),
  reason: z.string(),
});

const QueueState = z.object({
  job: z.string(),
  waiting: z.int(),
  running: z.int(),
  delayed: z.int(),
  failedCount: z.int(),
  /** The latest ones. */
  failed: z.array(FailedJob),
});
export type QueueState = z.infer<typeof QueueState>;

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

const RedisState = z.object({
  role: z.string(),
  version: z.string(),
  usedBytes: z.int(),
  /** Null: no limit. */
  maxBytes: z.nullable(z.int()),
  policy: z.string(),
});

export const PostgresState = z.object({
  version: z.string(),
  role: z.enum(["primary", "standby"]),
  sizeBytes: z.int(),
  connections: z.int(),
  maxConnections: z.int(),
  /** The last migration that ran, and how many. */
  migration: z.string(),
  migrationCount: z.int(),
});

/** Changes of links that the redirect does not have yet. */
export const OutboxState = z.object({
  waiting: z.int(),
  oldestSeconds: z.nullable(z.number()),
});

/** `waiting`: their users did not start them yet. */
export const ImportsState = z.object({ waiting: z.int(), running: z.int() });

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

/** The state of the installation. Components that do not respond within a second are null. */
export const getSystem = {
  method: "GET",
  path: "/api/operator/system",
  replies: {
    200: z.object({
      version: z.string(),
      environment: z.string(),
      postgres: z.nullable(PostgresState),
      /** `name`: what it is used for, `cache`, `queue` or `session`. */
      redis: z.array(z.object({ name: z.string(), state: z.nullable(RedisState) })),
      /** Null: the queue's Redis does not respond. */
      queues: z.nullable(z.array(QueueState)),
      /** The next ones to be tried again, and the number of all. */
      failedItems: z.nullable(z.object({ count: z.int(), items: z.array(FailedItem) })),
      outbox: z.nullable(OutboxState),
      imports: z.nullable(ImportsState),
      /** Product pages by what the last read of each found; `unread`: not read yet. */
      pageReads: z.nullable(z.record(z.string(), z.int())),
      features: z.array(Feature),
      /** Settings of the api. A secret has no value, only whether it is set. */
      settings: z.array(
        z.object({
          name: z.string(),
          value: z.nullable(z.string()),
          isSecret: z.boolean(),
          isSet: z.boolean(),
        }),
      ),
    }),
  },
} as const satisfies Call;

/** Ends the pauses of all failed items: the next rounds of their jobs try them again. */
export const retryItems = {
  method: "POST",
  path: "/api/operator/failed-items/retry",
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
  params,
  body,
  replies: { 200: z.object({ count: z.int() }) },
} as const satisfies Call;

/** Deletes failed jobs. */
export const discardJobs = {
  method: "POST",
  path: "/api/operator/queues/:job/discard",
  params,
  body,
  replies: { 200: z.object({ count: z.int() }) },
} as const satisfies Call;
