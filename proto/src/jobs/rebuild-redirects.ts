import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Writes the redirect record of every link to Redis, in batches of one job each. */
export const rebuildRedirects = defineJob({
  name: "rebuild-redirects",
  payload: z.strictObject({
    /** The last id of the previous batch; 0 starts from the beginning. */
    afterId: z._default(z.int().check(z.nonnegative()), 0),
  }),
  attempts: 5,
  backoffMs: 2_000,
  dedupeId: ({ afterId }) => `after ${afterId}`,
});
