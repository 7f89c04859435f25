import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Propagates changed metadata of a page to its live links. */
export const propagateMetadata = defineJob({
  name: "propagate-metadata",
  payload: z.strictObject({
    /** The id of a row in `products`. */
    canonicalUrl: z.string(),
    /** The row's revision, to be propagated to all of its links. */
    revision: z.int().check(z.positive()),
  }),
  attempts: 5,
  backoffMs: 5_000,
  dedupeId: ({ canonicalUrl, revision }) => `${revision} ${canonicalUrl}`,
});
