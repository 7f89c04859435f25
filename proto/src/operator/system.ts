import * as z from "zod/mini";
import { resource } from "../call.ts";
import { notFound } from "../general-errors.ts";

export const FailedItem = z.object({
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
  name: z.string(),
  isOn: z.boolean(),
  settings: z.array(z.string()),
});

const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const getSystem = operator.get("/api/operator/system", {
  summary: "Get failures and features that are off",
  description: "Parts that do not respond within a second are null.",
  replies: {
    200: z.object({
      failedJobs: z.nullable(z.array(z.object({ job: z.string(), count: z.int() }))),
      failedItems: z.nullable(z.object({ count: z.int(), items: z.array(FailedItem) })),
      features: z.array(Feature),
      /** The address of the proxy that this request came from, if the gateway does not trust it: its visitors count as one. */
      untrustedProxy: z.nullable(z.string()),
    }),
  },
  errors: [notFound],
});

export const retryItems = operator.post("/api/operator/failed-items/retry", {
  summary: "Retry failed items now",
  description: "Each is retried in the next round of its job.",
  replies: { 200: z.object({ count: z.int() }) },
  errors: [notFound],
  records: "items.retried",
});
