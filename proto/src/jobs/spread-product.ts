import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Tells the live links of a page that what is shown of it has changed. */
export const spreadProduct = defineJob({
  name: "spread-product",
  payload: z.strictObject({
    /** Of a row in `products`. */
    canonicalUrl: z.string(),
    /** The row's, which all its links shall have been told of. */
    revision: z.int().check(z.positive()),
  }),
  attempts: 5,
  backoffMs: 5_000,
  dedupeId: ({ canonicalUrl, revision }) => `${revision} ${canonicalUrl}`,
});
