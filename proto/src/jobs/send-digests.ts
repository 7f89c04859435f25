import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Sends each user with links that need attention an email, at most one in seven days. */
export const sendDigests = defineJob({
  name: "send-digests",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 60 * 60 * 1_000, atStart: true },
});
