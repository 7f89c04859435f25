import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Has the redirect records rebuilt when Redis came back without them. */
export const checkRedirects = defineJob({
  name: "check-redirects",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 15 * 1_000, atStart: true },
});
