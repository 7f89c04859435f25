import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes expired idempotency keys and records of recent creates. */
export const purgeIdempotencyKeys = defineJob({
  name: "purge-idempotency-keys",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
