import { defineJob } from "@tapthru/proto/jobs/definition";
import * as z from "zod/mini";

const greet = defineJob({
  payload: z.object({ name: z.string() }),
  attempts: 3,
  backoffMs: 1,
  concurrency: 2,
  dedupeId: ({ name }) => name,
});

export const tick = defineJob({
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1,
  schedule: { everyMs: 3_600_000 },
});

export const TEST_JOBS = { greet, tick };
