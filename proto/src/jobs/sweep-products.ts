import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Queues the page reads that are due according to Postgres, as the queue's Redis may have lost them. */
export const sweepProducts = defineJob({
  name: "sweep-products",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 30 * 1_000 },
});
