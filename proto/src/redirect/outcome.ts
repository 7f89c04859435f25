import * as z from "zod/mini";

/**
 * What the app-opening page reports to POST /l/{code}/outcome; no personal data.
 * `row` is the result of `outcomeStrategy`, `proof` the signature that the page received for it.
 */
export const Outcome = z.strictObject({
  row: z.string().check(z.regex(/^[a-z0-9.-]{1,32}\/[a-z0-9-]{1,40}$/)),
  outcome: z.enum(["opened", "stayed", "unknown"]),
  proof: z.string().check(z.regex(/^[\w-]{43}$/)),
});
export type Outcome = z.infer<typeof Outcome>;

/** The name of a strategy, with the version of the table. */
export function outcomeStrategy(tableVersion: string, strategyId: string): string {
  return `${tableVersion}/${strategyId}`;
}

export function outcomePath(shortCode: string): string {
  return `/l/${shortCode}/outcome`;
}
