import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Creates the partitions of the next month, merges the daily clicks of past months and deletes old clicks. */
export const rollUpClicks = defineJob({
  name: "roll-up-clicks",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 60_000,
  schedule: { everyMs: 60 * 60 * 1_000, atStart: true },
});
