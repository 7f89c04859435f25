import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes the outcomes of app opening of months that are no longer kept. */
export const purgeAppOpenings = defineJob({
  name: "purge-app-openings",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
