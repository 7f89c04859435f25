import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Adds up the clicks of all links of users with many links, for days that ended and days that changed afterwards. */
export const sumOwnerClicks = defineJob({
  name: "sum-owner-clicks",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 10_000 },
});
