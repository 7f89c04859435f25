import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes events of webhooks that are older than 30 days, and those beyond the latest 50,000 of a webhook. */
export const purgeWebhookDeliveries = defineJob({
  name: "purge-webhook-deliveries",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
