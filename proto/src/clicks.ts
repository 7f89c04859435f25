import * as z from "zod/mini";
import { resource } from "./call.ts";
import { DIMENSIONS } from "./clicks/keys.ts";
import { EXAMPLE_CODE } from "./example-values.ts";
import { csvSeparator, inputs, shortCode, timeZone } from "./fields.ts";
import { linkNotFound } from "./general-errors.ts";
import { LINKS_PAGE_MAX_SIZE, SLUG_MAX_LENGTH } from "./rules/limits.ts";
import { PORTABLE_SHORT_CODE, SHORT_CODE_PATTERN } from "./rules/short-code.ts";

export const CLICK_INTERVALS = ["hour", "day", "week", "month"] as const;
export type ClickInterval = (typeof CLICK_INTERVALS)[number];

export const CLICK_BREAKDOWNS = ["class", ...DIMENSIONS, "outcome", "link"] as const;
export type ClickBreakdown = (typeof CLICK_BREAKDOWNS)[number];

/** `person`: each tap of a person counts. `visitors` is an estimate: each person counts once for each day in UTC. `opened`: pages that opened the app, or were left on Android, of the `tried` that tried and reported whether it opened. */
const counts = {
  person: z.int(),
  preview: z.int(),
  bot: z.int(),
  prefetch: z.int(),
  assistant: z.int(),
  visitors: z.int(),
  opened: z.int(),
  tried: z.int(),
};
export const ClickTotals = z.object(counts);
export type ClickTotals = z.infer<typeof ClickTotals>;

/**
 * `series`: each hour, day, week (from Monday) or month of the time zone that has a part of the range. `breakdown`: with
 * `by`, most taps of people first; `visitors`, `opened` and `tried` are null where they are not known. The keys of `outcome` are
 * `opened`, `stayed` and `unknown`, those of `link` short codes, with the name of each link for callers who may read links, those of `referrer` hosts, `direct`, `other`, `assistants`, or `facebook` and the like for all hosts of an app, those
 * of `store` such as `de`, `original`, `fallback` or `untagged`, those of `source` the `from` of short links such as `newsletter`, `paid:ads` or `other`, those of `pay` `payable` or one of
 * `UNPAID`, those of `preview`, `bot` and `assistant` names such as `Googlebot`.
 */
export const ClickReport = z.object({
  timeZone: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** All clicks that arrived until then are counted; a redirect that cannot send its clicks keeps them for later. */
  completeUntil: z.iso.datetime(),
  /** Of all links alone: false before the first tap ever. */
  hasTaps: z.optional(z.boolean()),
  totals: ClickTotals,
  series: z.array(z.object({ start: z.iso.datetime(), ...counts })),
  breakdown: z.array(
    z.object({
      key: z.string(),
      name: z.optional(z.string()),
      ...counts,
      visitors: z.nullable(z.int()),
      opened: z.nullable(z.int()),
      tried: z.nullable(z.int()),
    }),
  ),
});
export type ClickReport = z.infer<typeof ClickReport>;

/** A day of the time zone, or an instant, which is rounded down to a quarter-hour. */
const dayOrInstant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

export const clickQuery = z.object({
  /** Default: 29 days before the day of `to`. */
  from: z.optional(dayOrInstant),
  /** A day is included, an instant is not. Default: today. */
  to: z.optional(dayOrInstant),
  tz: timeZone,
  interval: z._default(z.enum(CLICK_INTERVALS), "day"),
  by: z.optional(z.enum(CLICK_BREAKDOWNS)),
  separator: csvSeparator,
});
export type ClickQuery = z.output<typeof clickQuery>;

const clicks = resource("Clicks", { reads: "clicks:read", writes: "clicks:read" });

const CSV = {
  "text/csv": "key,person,preview,bot,prefetch,visitors,opened,assistant,tried\r\nios,12,3,1,0,10,7,1,9\r\n",
};
const DESCRIPTION =
  "`person` are taps of people: each tap counts, and the screens call them taps. `visitors` estimates how many people they were. `opened` are the pages that opened the app, or were left on Android, of the `tried` ones that reported it. `from` and `to` are days of the time zone `tz` (`to` is included), or instants, which are rounded down to a quarter-hour (`to` is not included). By default the last 30 days. At most 800 days and 3,000 periods. The JSON of the reply has both the series and, with `by`, the breakdown; the CSV has the breakdown if there is one, else the series. `by=store`: the Amazon store to which people were sent, such as `de`; `original` is the store of the link itself, `fallback` what opened in place of a link that had ended, and `untagged` the link by its code without tag. `by=source`: the `from` of short links, such as `newsletter`; those with one tap are `other`, and taps without one are not among them; `paid:ads` are taps whose address has the click id of an ad or a paid `utm_medium`, also if it has a `from`. `by=pay`: why Amazon does not pay for a tap, the first reason that is true: `untagged` (a code without tag), `ads`, `mail` (by its referrer, `utm_medium=email` or the id of a newsletter), `print` (`from=qr`), `store` (the address has no tag of the store), `tag` (none though the user has one there, two, an example, or one that Amazon does not read); `payable` are the others, at most: ads without an id and mails without a referrer are not seen. `by=preview`, `by=bot` and `by=assistant`: the names of their programs, such as `Googlebot`, from fixed lists; `other` is on none, and `pretender` has the name of a browser without its headers. `by=referrer`: all hosts of an app are one key, such as `facebook`; the CSV has each host. `by=link`: the 100 links with the most taps, with their names if the caller may read links; of all links, the total has the clicks on each link while it was the user's.";
const QUERY = { from: "2026-11-20", to: "2026-11-20", tz: "Europe/Berlin", by: "device" } as const;

export const getLinkClicks = clicks.get("/api/links/:shortCode/clicks", {
  summary: "Count the clicks of a link",
  description: DESCRIPTION,
  params: z.object({ shortCode }),
  query: clickQuery,
  replies: { 200: ClickReport },
  errors: [linkNotFound],
  otherTypes: CSV,
  example: { query: QUERY },
});

export const getClicks = clicks.get("/api/clicks", {
  summary: "Count the clicks of all links",
  description: DESCRIPTION,
  query: clickQuery,
  replies: { 200: ClickReport },
  otherTypes: CSV,
  example: { query: QUERY },
});

const codes = z
  .pipe(
    z.string().check(z.maxLength(LINKS_PAGE_MAX_SIZE * (SLUG_MAX_LENGTH + 1))),
    z.pipe(
      z.transform((text: string) => text.split(",")),
      z.array(z.string().check(z.regex(SHORT_CODE_PATTERN))).check(z.maxLength(LINKS_PAGE_MAX_SIZE)),
    ),
  )
  .register(inputs, {
    as: {
      type: "string",
      pattern: `^${PORTABLE_SHORT_CODE}(,${PORTABLE_SHORT_CODE}){0,${LINKS_PAGE_MAX_SIZE - 1}}$`,
      description: `1 to ${LINKS_PAGE_MAX_SIZE} short codes, separated by commas.`,
    },
  });

export const listLinkPeople = clicks.get("/api/clicks/links", {
  summary: "Count taps of people on each of the last 30 days",
  description:
    "For those of the links that the user owns and that have had any click of a person. `codes` are short codes, separated by commas. `people` has the taps of people on each day of the time zone, today last.",
  query: z.object({ codes, tz: timeZone }),
  replies: { 200: z.array(z.object({ shortCode: z.string(), people: z.array(z.int()) })) },
  example: {
    query: { codes: EXAMPLE_CODE, tz: "Europe/Berlin" },
    replies: {
      200: [{ shortCode: EXAMPLE_CODE, people: [...Array.from({ length: 28 }, () => 0), 12, 4] }],
    },
  },
});
