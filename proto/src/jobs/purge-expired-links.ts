import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes anonymous links past their expiry; their codes are never used again. */
export const purgeExpiredLinks = defineJob({
  name: "purge-expired-links",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000, atStart: true },
});
