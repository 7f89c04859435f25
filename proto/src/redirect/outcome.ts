import * as z from "zod/mini";

/**
 * What the app-opening page reports of itself to POST /l/{code}/outcome: nothing of the person.
 * `row` is what `outcomeRow` makes, `proof` what the page was given for it.
 */
export const Outcome = z.strictObject({
  row: z.string().check(z.regex(/^[a-z0-9.-]{1,32}\/[a-z0-9-]{1,40}$/)),
  outcome: z.enum(["opened", "stayed", "unknown"]),
  proof: z.string().check(z.regex(/^[\w-]{43}$/)),
});
export type Outcome = z.infer<typeof Outcome>;

/** Names a row of the strategy table, with the table's version. */
export function outcomeStrategy(tableVersion: string, rowId: string): string {
  return `${tableVersion}/${rowId}`;
}

export function outcomePath(shortCode: string): string {
  return `/l/${shortCode}/outcome`;
}
