import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes projected outbox rows that no replica needs any more. */
export const purgeLinkChanges = defineJob({
  name: "purge-link-changes",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 10 * 60 * 1_000 },
});
