import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes reports that have not been repeated for `REPORT_LIFETIME_MS`. */
export const purgeReports = defineJob({
  name: "purge-reports",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
