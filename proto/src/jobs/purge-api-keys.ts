import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes API keys that expired more than 30 days ago. */
export const purgeApiKeys = defineJob({
  name: "purge-api-keys",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
