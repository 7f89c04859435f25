import * as z from "zod/mini";
import { SHORT_LINK_PATH_PREFIX } from "../rules/limits.ts";
import { splitShortCode } from "../rules/short-code.ts";

export const OUTCOMES = ["opened", "stayed", "unknown"] as const;
/**
 * The outcomes that count as opened. `unknown`: on Android the page was left, for the app, a system dialog, a fallback page or the store. All
 * pages that reported an outcome have tried.
 */
export const OPENED_OUTCOMES: readonly (typeof OUTCOMES)[number][] = ["opened", "unknown"];

/**
 * The report of the app-opening page to POST `outcomePath`, without personal data.
 * `row` is the result of `outcomeStrategy`, `proof` the signature that the page received for it.
 */
export const Outcome = z.strictObject({
  row: z.string().check(z.regex(/^[a-z0-9.-]{1,32}\/[a-z0-9-]{1,40}(?:\/tap)?$/)),
  outcome: z.enum(OUTCOMES),
  proof: z.string().check(z.regex(/^[\w-]{63}$/)),
});
export type Outcome = z.infer<typeof Outcome>;

/** The name of a strategy, with the version of the table, and `tap` if the owner chose that the link opens after a tap only. */
export function outcomeStrategy(tableVersion: string, strategyId: string, isTapOnly: boolean): string {
  return `${tableVersion}/${strategyId}${isTapOnly ? "/tap" : ""}`;
}

export const ROOT_OUTCOME_NAME = "-";

export function outcomePath(shortCode: string): string {
  const { name, host } = splitShortCode(shortCode);
  return host === null ? `${SHORT_LINK_PATH_PREFIX}${name}/outcome` : `/${name || ROOT_OUTCOME_NAME}/outcome`;
}
