import * as z from "zod/mini";
import { asin, inputs, instant, marketplace, numberText, tag, timeZone } from "./fields.ts";
import { MISSING_SCOPE } from "./keys.ts";
import { Link, links } from "./links.ts";
import {
  COUNTED_LINKS_MAX,
  DOMAIN_MAX_LENGTH,
  EXPIRING_SOON_MS,
  LINKS_IDS_MAX_COUNT,
  LINKS_PAGE_DEFAULT_SIZE,
  LINKS_PAGE_MAX_SIZE,
  LINKS_SEARCH_MAX_LENGTH,
  LINKS_SORTED_MAX_COUNT,
} from "./rules/limits.ts";

const pageSize = z
  .pipe(numberText(/^\d{1,4}$/), z.int().check(z.gte(1), z.lte(LINKS_PAGE_MAX_SIZE)))
  .register(inputs, { also: { description: `1 to ${LINKS_PAGE_MAX_SIZE}.` } });

/** `clicks`, `earnings`: the most taps of people or earnings in the last 30 days first. `last-tap`: by the last day with taps in these. */
export const LinkOrder = z.enum(["newest", "name", "clicks", "last-tap", "earnings"]);
export type LinkOrder = z.infer<typeof LinkOrder>;

/**
 * `no-tag`: without an affiliate tag. `needs-attention`: taken down, with a stored address outside Amazon's stores,
 * without a tag, expired, expiring within EXPIRING_SOON_MS, or in one of UNHEALTHY_STATES.
 */
export const LinkFilter = z.enum(["no-tag", "needs-attention"]);
export type LinkFilter = z.infer<typeof LinkFilter>;

/** `soon`: within EXPIRING_SOON_MS. */
export const LinkExpiry = z.enum(["never", "soon", "expired"]);

/** Instead of an own domain: links on the host of this service. */
export const SITE_DOMAIN = "none";

const id = numberText(/^\d{1,9}$/);

const conditions = {
  q: z.optional(
    z
      .string()
      .check(z.trim(), z.maxLength(LINKS_SEARCH_MAX_LENGTH), z.regex(/^\P{Cc}*$/u))
      .register(inputs, {
        as: {
          type: "string",
          description: `At most ${LINKS_SEARCH_MAX_LENGTH} characters after white space at both ends is removed, without control characters.`,
        },
      }),
  ),
  store: z.optional(marketplace),
  product: z.optional(asin),
  show: z.optional(LinkFilter),
  label: z.optional(id),
  channel: z.optional(id),
  tag: z.optional(tag),
  domain: z.optional(z.string().check(z.toLowerCase(), z.maxLength(DOMAIN_MAX_LENGTH), z.regex(/^[a-z0-9.-]+$/))),
  /** Included. */
  createdFrom: z.optional(instant),
  /** Not included. */
  createdBefore: z.optional(instant),
  expiry: z.optional(LinkExpiry),
};
export const LinkConditions = z.object(conditions);
export type LinkConditions = z.output<typeof LinkConditions>;

const CONDITIONS = `\`q\` is searched for in nickname, title, address, short code and names of labels. \`label\` and \`channel\` are ids; links without a channel are on the default one. \`tag\` is an affiliate tag, in any case. \`domain\` is an own domain, or \`${SITE_DOMAIN}\`: the host of this service. \`product\`: links that open this product. \`createdFrom\` is included, \`createdBefore\` is not. \`expiry=soon\` is within ${EXPIRING_SOON_MS / 86_400_000} days. All conditions apply together.`;

/** `{id}` of the last link of the previous page, with `~{sort name}` or `~{value}` in other orders; no value: after those with one. */
const cursor = z
  .pipe(
    z.string().check(z.regex(/^\d{1,15}(?:~[^\0]{0,100})?$/u)),
    z.transform((text) => {
      const [, id, sortValue = null] = /^(\d+)(?:~(.*))?$/su.exec(text) ?? [];
      return { id: Number(id), sortValue };
    }),
  )
  .register(inputs, {
    as: {
      type: "string",
      pattern: "^[0-9]{1,15}(~[^\\u0000]{0,100})?$",
      description: "From the header `Link` of the previous page, for the same `sort`.",
    },
  });

const SORT_VALUES: Record<LinkOrder, (value: string | null) => boolean> = {
  newest: () => true,
  name: (value) => value !== null,
  clicks: isCount,
  "last-tap": isCount,
  earnings: isCount,
};

function isCount(value: string | null): boolean {
  return value !== null && /^\d{0,15}$/.test(value);
}

export const listLinks = links.get("/api/links", {
  summary: "List links",
  description: `The user's links, newest first, by name, or by taps of people, the last day with taps or earnings of the last 30 days; with one of these three, at most ${LINKS_SORTED_MAX_COUNT.toLocaleString("en-US")} links with a value are put in order, and the others follow, newest first. \`tz\` is the time zone of the days. If there may be more, the header \`Link\` has the address of the next page; do not build a \`cursor\` yourself. A page may have fewer links than \`limit\`, or none, because one request looks at a part of many links. ${CONDITIONS} \`sort=clicks\` and \`sort=last-tap\` also require \`clicks:read\`, \`sort=earnings\` \`earnings:read\`.`,
  query: z
    .object({
      limit: z._default(pageSize, LINKS_PAGE_DEFAULT_SIZE),
      cursor: z.optional(cursor),
      sort: z._default(LinkOrder, "newest"),
      tz: timeZone,
      ...conditions,
    })
    .check(
      z.refine(({ sort, cursor }) => !cursor || SORT_VALUES[sort](cursor.sortValue), {
        path: ["cursor"],
      }),
    ),
  replies: { 200: z.array(Link) },
  errors: [MISSING_SCOPE["clicks:read"], MISSING_SCOPE["earnings:read"]],
  replyHeaders: {
    Link: {
      description: "The next page (RFC 8288). Absent on the last page.",
      example: '</api/links?limit=50&cursor=1042>; rel="next"',
    },
  },
  example: { query: { limit: "50", q: "mug" } },
});

export const listLinkIds = links.get("/api/link-ids", {
  summary: "List the ids of links",
  description: `The ids of the links that match the conditions of the list, newest first, up to ${LINKS_IDS_MAX_COUNT}. If there may be more, the header \`Link\` has the address of the next page, which may be empty.`,
  query: z.object({ ...conditions, before: z.optional(numberText(/^\d{1,15}$/)) }),
  replies: { 200: z.array(z.int()) },
  replyHeaders: {
    Link: {
      description: "The next page (RFC 8288). Absent on the last page.",
      example: '</api/link-ids?show=no-tag&before=1042>; rel="next"',
    },
  },
  example: { query: { show: "no-tag" }, replies: { 200: [1042, 7] } },
});

export const countLinks = links.get("/api/link-count", {
  summary: "Count links",
  description: `How many links match the conditions of the list, up to ${COUNTED_LINKS_MAX}; \`areMore\`: there may be more.`,
  query: LinkConditions,
  replies: { 200: z.object({ count: z.int(), areMore: z.boolean() }) },
  example: { query: { channel: "3" } },
});

export const listLinkStores = links.get("/api/links/stores", {
  summary: "List the stores of the links",
  description: "The Amazon stores that the user has links to.",
  replies: { 200: z.array(marketplace) },
  example: { replies: { 200: ["com", "de"] } },
});
