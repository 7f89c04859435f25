import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Puts the record of every link into Redis, stretch after stretch, each a job of its own. */
export const rebuildRedirects = defineJob({
  name: "rebuild-redirects",
  payload: z.strictObject({
    /** Links up to this id are done; 0 begins anew. */
    afterId: z._default(z.int().check(z.nonnegative()), 0),
  }),
  attempts: 5,
  backoffMs: 2_000,
  dedupeId: ({ afterId }) => `after ${afterId}`,
});
