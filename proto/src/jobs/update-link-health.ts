import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Determines the states of links that are new, that got another destination, or whose page's state changed. */
export const updateLinkHealth = defineJob({
  name: "update-link-health",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 10_000, atStart: true },
});
