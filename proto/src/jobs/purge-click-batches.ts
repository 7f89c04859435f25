import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes the ids of batches of clicks that were applied more than a day ago. */
export const purgeClickBatches = defineJob({
  name: "purge-click-batches",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 10 * 60 * 1_000 },
});
