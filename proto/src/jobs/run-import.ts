import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Creates the links of an import that was started, in batches. It continues after the last batch of an earlier run. */
export const runImport = defineJob({
  name: "run-import",
  payload: z.strictObject({ importId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
  concurrency: 4,
  dedupeId: ({ importId }) => importId,
});
