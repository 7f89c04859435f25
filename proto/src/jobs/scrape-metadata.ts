import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Fetches the metadata of a page once for all links to it. */
export const scrapeMetadata = defineJob({
  name: "scrape-metadata",
  payload: z.strictObject({
    /** The id of a row in `products`. */
    canonicalUrl: z.string(),
    /** The row's `attempts`; the job does nothing if the row has another value or is not due. */
    attempt: z.int().check(z.nonnegative()),
  }),
  attempts: 3,
  backoffMs: 5_000,
  concurrency: 4,
  dedupeId: ({ canonicalUrl, attempt }) => `${attempt} ${canonicalUrl}`,
});
