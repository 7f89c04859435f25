import * as z from "zod/mini";
import { PERSON_DIMENSIONS } from "../clicks/keys.ts";
import { SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { LINKS_PAGE_MAX_SIZE, SLUG_MAX_LENGTH } from "../rules/limits.ts";
import type { Call } from "./call.ts";
import { timeZone } from "./fields.ts";
import { getLink } from "./links.ts";

export const CLICK_INTERVALS = ["hour", "day", "week", "month"] as const;
export type ClickInterval = (typeof CLICK_INTERVALS)[number];

export const CLICK_BREAKDOWNS = ["class", ...PERSON_DIMENSIONS, "outcome", "link"] as const;
export type ClickBreakdown = (typeof CLICK_BREAKDOWNS)[number];

/** `person`: each tap of a person counts. `visitors` is an estimate: each person counts once for each day in UTC. `opened`: app openings that pages reported. */
const counts = {
  person: z.int(),
  preview: z.int(),
  bot: z.int(),
  prefetch: z.int(),
  /** Programs that read the link because a person asked an assistant. */
  assistant: z.int(),
  visitors: z.int(),
  opened: z.int(),
};
export const ClickTotals = z.object(counts);
export type ClickTotals = z.infer<typeof ClickTotals>;

/**
 * `series`: each hour, day, week (from Monday) or month of the time zone that has a part of the range. `breakdown`: with
 * `by`, most taps of people first; `visitors` and `opened` are null where they are not known. The keys of `outcome` are
 * `opened`, `stayed` and `unknown`, those of `link` short codes, those of `referrer` hosts, `direct`, `other` or `assistants`, those
 * of `store` such as `de`, `original`, `fallback` or `untagged`.
 */
export const ClickReport = z.object({
  timeZone: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Clicks until then are counted. */
  completeUntil: z.iso.datetime(),
  totals: ClickTotals,
  series: z.array(z.object({ start: z.iso.datetime(), ...counts })),
  breakdown: z.array(
    z.object({
      key: z.string(),
      ...counts,
      visitors: z.nullable(z.int()),
      opened: z.nullable(z.int()),
    }),
  ),
});
export type ClickReport = z.infer<typeof ClickReport>;

/** A day of the time zone, or an instant, which is rounded down to a quarter-hour. */
const dayOrInstant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

const query = z.object({
  /** Default: 29 days before the day of `to`. */
  from: z.optional(dayOrInstant),
  /** A day is included, an instant is not. Default: today. */
  to: z.optional(dayOrInstant),
  tz: timeZone,
  interval: z._default(z.enum(CLICK_INTERVALS), "day"),
  by: z.optional(z.enum(CLICK_BREAKDOWNS)),
});
export type ClickQuery = z.output<typeof query>;

/** With `Accept: text/csv` the reply is the breakdown if `by` is given, else the series. */
export const getLinkClicks = {
  method: "GET",
  path: "/api/links/:shortCode/clicks",
  access: "clicks:read",
  params: getLink.params,
  query,
  replies: { 200: ClickReport },
} as const satisfies Call;

/** The clicks of all links of the user. */
export const getClicks = {
  method: "GET",
  path: "/api/clicks",
  access: "clicks:read",
  query,
  replies: { 200: ClickReport },
} as const satisfies Call;

/** Short codes, separated by commas. */
const codes = z.pipe(
  z.string().check(z.maxLength(LINKS_PAGE_MAX_SIZE * (SLUG_MAX_LENGTH + 1))),
  z.pipe(
    z.transform((text: string) => text.split(",")),
    z.array(z.string().check(z.regex(SHORT_CODE_PATTERN))).check(z.maxLength(LINKS_PAGE_MAX_SIZE)),
  ),
);

/**
 * Taps of people on each of the last 30 days of the time zone, today last, for those of the links that the user owns and that
 * have had any.
 */
export const listLinkPeople = {
  method: "GET",
  path: "/api/clicks/links",
  access: "clicks:read",
  query: z.object({ codes, tz: timeZone }),
  replies: { 200: z.array(z.object({ shortCode: z.string(), people: z.array(z.int()) })) },
} as const satisfies Call;
