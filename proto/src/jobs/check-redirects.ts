import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Queues a rebuild of the redirect records if Redis lost them. */
export const checkRedirects = defineJob({
  name: "check-redirects",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 15 * 1_000, atStart: true },
});
