import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes outbox rows that were projected so long ago that no replica needs them any more. */
export const purgeLinkChanges = defineJob({
  name: "purge-link-changes",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 10 * 60 * 1_000 },
});
