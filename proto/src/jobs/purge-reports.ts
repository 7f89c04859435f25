import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes reports of links that nobody has repeated for a long time. */
export const purgeReports = defineJob({
  name: "purge-reports",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
