import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Deletes idempotency keys and repeated creates past their time. */
export const purgeIdempotencyKeys = defineJob({
  name: "purge-idempotency-keys",
  payload: z.strictObject({}),
  attempts: 5,
  backoffMs: 10_000,
  schedule: { everyMs: 60 * 60 * 1_000 },
});
