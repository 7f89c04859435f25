import * as z from "zod/mini";
import { SHORT_CODE_PATTERN } from "../rules/short-code.ts";

/** A Redis stream of batches, from the redirect replicas to the workers, and the bytes of its batches. */
export interface ClickStream {
  batches: string;
  bytes: string;
}

/**
 * The text in braces keeps the keys of a stream on one node of a cluster. Each link is in one of them, so that several
 * workers seldom wait for each other. The first one has the only keys of earlier releases.
 */
export const CLICK_STREAMS: readonly ClickStream[] = ["{clicks}", "{clicks-2}", "{clicks-3}", "{clicks-4}"].map(
  (name) => ({ batches: `${name}:batches`, bytes: `${name}:bytes` }),
);

export function clickStreamOf(shortCode: string): number {
  let hash = 0;
  for (let at = 0; at < shortCode.length; at++) hash = (Math.imul(hash, 31) + shortCode.charCodeAt(at)) >>> 0;
  return hash % CLICK_STREAMS.length;
}

export const QUARANTINED_CLICKS = "{clicks}:quarantine";
export const CLICK_GROUP = "workers";

const count = z.int().check(z.positive());
const key = z.string().check(z.regex(/^[\x21-\x7e]{1,220}$/));

/** The clicks of one link in one quarter-hour: a count for each key of `keys.ts`. */
export const LinkClicks = z.object({
  shortCode: z.string().check(z.regex(SHORT_CODE_PATTERN)),
  /** Quarter-hours since 1970; of the years 2024 to 2084. */
  quarter: z.int().check(z.gte(1_900_000), z.lte(4_000_000)),
  counts: z.record(key, count),
  /** Register values of `visitor-sketch.ts`. */
  visitors: z.array(z.int().check(z.gte(0), z.lt(1 << 20))),
});
export type LinkClicks = z.infer<typeof LinkClicks>;

const id = z.string().check(z.regex(/^[a-z0-9.-]{1,40}$/));
const reports = z.int().check(z.nonnegative());

export const RowOutcomes = z.object({
  day: z.iso.date(),
  row: id,
  app: id,
  os: z.enum(["ios", "android"]),
  opened: reports,
  stayed: reports,
  unknown: reports,
});
export type RowOutcomes = z.infer<typeof RowOutcomes>;

/** The counts of one redirect replica in about a second. They are applied once, however often they arrive. */
export const ClickBatch = z.object({
  id: z.uuid(),
  links: z.array(LinkClicks),
  outcomes: z.array(RowOutcomes),
});
export type ClickBatch = z.infer<typeof ClickBatch>;
