import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Learns what Amazon says of a page: one reading however many links show it. */
export const scrapeMetadata = defineJob({
  name: "scrape-metadata",
  payload: z.strictObject({
    /** Of a row in `products`. */
    canonicalUrl: z.string(),
    /** The row's `attempts`; the job does nothing once the row has another, or is not due. */
    attempt: z.int().check(z.nonnegative()),
  }),
  attempts: 3,
  backoffMs: 5_000,
  concurrency: 4,
  dedupeId: ({ canonicalUrl, attempt }) => `${attempt} ${canonicalUrl}`,
});
