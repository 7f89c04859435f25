import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Queues the jobs of running imports that the queue lost, and deletes old imports. */
export const sweepImports = defineJob({
  name: "sweep-imports",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 15_000 },
});
