import type * as clicksCalls from "../http/clicks.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_CODE } from "./example-values.ts";

const COUNTS = {
  person: 12,
  preview: 3,
  bot: 1,
  prefetch: 0,
  visitors: 10,
  opened: 7,
  assistant: 1,
};

const REPORT = {
  timeZone: "Europe/Berlin",
  from: "2026-11-19T23:00:00.000Z",
  to: "2026-11-20T23:00:00.000Z",
  completeUntil: "2026-11-21T11:58:00.000Z",
  totals: COUNTS,
  series: [{ start: "2026-11-19T23:00:00.000Z", ...COUNTS }],
  breakdown: [{ key: "ios", ...COUNTS }],
};

const CSV = {
  "text/csv":
    "key,person,preview,bot,prefetch,visitors,opened,assistant\r\nios,12,3,1,0,10,7,1\r\n",
};

const DESCRIPTION =
  "`person` are taps of people: each tap counts, and the screens call them taps. `visitors` estimates how many people they were. `from` and `to` are days of the time zone `tz` (`to` is included), or instants, which are rounded down to a quarter-hour (`to` is not included). By default the last 30 days. At most 800 days and 3,000 periods. The JSON of the reply has both the series and, with `by`, the breakdown; the CSV has the breakdown if there is one, else the series. `by=store`: the Amazon store to which people were sent, such as `de`; `original` is the store of the link itself, `fallback` what opened in place of a link that had ended, and `untagged` the link by its code without tag. `by=link`: the 100 links with the most taps; of all links, the total has the clicks on each link while it was the user's.";

const QUERY = { from: "2026-11-20", to: "2026-11-20", tz: "Europe/Berlin", by: "device" } as const;

export const clicksDocumentation: DocumentationOf<typeof clicksCalls> = {
  getLinkClicks: {
    tag: "Clicks",
    summary: "Count the clicks of a link",
    description: DESCRIPTION,
    errors: ["link-not-found"],
    otherTypes: CSV,
    example: { params: { shortCode: EXAMPLE_CODE }, query: QUERY, replies: { 200: REPORT } },
  },
  getClicks: {
    tag: "Clicks",
    summary: "Count the clicks of all links",
    description: DESCRIPTION,
    errors: [],
    otherTypes: CSV,
    example: { query: QUERY, replies: { 200: REPORT } },
  },
  listLinkPeople: {
    tag: "Clicks",
    summary: "Count taps of people on each of the last 30 days",
    description:
      "For those of the links that the user owns and that have had any click of a person. `codes` are short codes, separated by commas. `people` has the taps of people on each day of the time zone, today last.",
    errors: [],
    example: {
      query: { codes: EXAMPLE_CODE, tz: "Europe/Berlin" },
      replies: {
        200: [{ shortCode: EXAMPLE_CODE, people: [...Array.from({ length: 28 }, () => 0), 12, 4] }],
      },
    },
  },
};
