import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Queues what Postgres says is to be done with pages; the queue's Redis may have lost it. */
export const sweepProducts = defineJob({
  name: "sweep-products",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 30 * 1_000 },
});
