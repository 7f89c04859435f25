import * as z from "zod/mini";
import {
  LINKS_CHANNEL_MAX_COUNT,
  LINKS_DELETE_MAX_COUNT,
  LINKS_MOVE_MAX_COUNT,
  LINKS_PAGE_DEFAULT_SIZE,
  LINKS_PAGE_MAX_SIZE,
  LINKS_SEARCH_MAX_LENGTH,
} from "../rules/limits.ts";
import { CHECK_SOURCES, LINK_STATES } from "../rules/link-health.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import {
  channelId,
  linkDomain,
  marketplace,
  numberText,
  shortCode,
  slug,
  timeZone,
} from "./fields.ts";
import { Label, labelRefs } from "./labels.ts";
import { OwnerFields, StoredOwnerFields } from "./owner-fields.ts";

/**
 * `own`: the tag in the address is the owner's and changes at their request alone, or there is none. `channel`: it is that of the link's
 * channel, and changes with it.
 */
export const TAG_SOURCES = ["own", "channel"] as const;
export type TagSource = (typeof TAG_SOURCES)[number];

/** What the worker last found; `unknown` before that. A state of the product needs two checks that agree. */
export const LinkHealth = z.object({
  state: z.enum(LINK_STATES),
  /** Since when the link has this state; null if it is unknown. */
  since: z.nullable(z.iso.datetime()),
  /** The last check of the page to which Amazon responded, and where; null without one. */
  checkedAt: z.nullable(z.iso.datetime()),
  source: z.nullable(z.enum(CHECK_SOURCES)),
  /** The last check of the page, also one without a response. */
  attemptedAt: z.nullable(z.iso.datetime()),
  /** What opens now in place of the destination, because the link has expired or its product is gone. */
  fallbackUrl: z.nullable(z.string()),
});
export type LinkHealth = z.infer<typeof LinkHealth>;

const { title, expiresAt, ...otherFields } = StoredOwnerFields.shape;

/**
 * `title` to `siteName`: the owner's text, else the metadata of the page. A page without metadata may have a `title` from its
 * address.
 */
export const Link = z.object({
  id: z.int(),
  shortCode: z.string(),
  shortUrl: z.string(),
  /** The short link of the same page without tags, for print and mail; null: it was not created. */
  untaggedUrl: z.nullable(z.string()),
  /** The own domain that the link is on; null: the site's own host. */
  domain: z.nullable(z.string()),
  originalUrl: z.string(),
  deepLink: z.string(),
  webUrl: z.string(),
  title,
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  ...otherFields,
  userId: z.nullable(z.int()),
  expiresAt,
  createdAt: z.iso.datetime(),
  /** By name. */
  labels: z.array(Label),
  /** Changes with the labels; empty without labels. */
  labelsRevision: z.string(),
  /** The link's own channel; null: it uses the user's default channel. */
  channelId: z.nullable(z.int()),
  tagSource: z.enum(TAG_SOURCES),
  /** Visitors get 410; the owner sees the link but cannot edit it. */
  takenDown: z.boolean(),
  /**
   * A stored address of the link does not lead to an Amazon store: `webUrl` and `deepLink` are empty and
   * `originalUrl` is text that must not be opened.
   */
  invalid: z.boolean(),
  health: LinkHealth,
});
export type Link = z.infer<typeof Link>;

const pageSize = z.pipe(
  numberText(/^\d{1,4}$/),
  z.int().check(z.gte(1), z.lte(LINKS_PAGE_MAX_SIZE)),
);

/** `clicks`: the most taps of people in the last 30 days first. */
export const LinkOrder = z.enum(["newest", "name", "clicks"]);
export type LinkOrder = z.infer<typeof LinkOrder>;

/**
 * `no-tag`: without an affiliate tag. `needs-attention`: taken down, with a stored address outside Amazon's stores,
 * without a tag, expired, expiring within EXPIRING_SOON_MS, or in one of UNHEALTHY_STATES.
 */
export const LinkFilter = z.enum(["no-tag", "needs-attention"]);
export type LinkFilter = z.infer<typeof LinkFilter>;

/** `{id}` of the last link of the previous page, with `~{sort name}` or `~{taps}` if the order is by name or clicks. */
const cursor = z.pipe(
  z.string().check(z.regex(/^\d{1,15}(?:~[^\0]{0,100})?$/u)),
  z.transform((text) => {
    const [, id, sortValue = null] = /^(\d+)(?:~(.*))?$/su.exec(text) ?? [];
    return { id: Number(id), sortValue };
  }),
);

const SORT_VALUES: Record<LinkOrder, (value: string | null) => boolean> = {
  newest: () => true,
  name: (value) => value !== null,
  clicks: (value) => value !== null && /^\d{1,15}$/.test(value),
};

/**
 * The user's links, newest first, by name or by clicks on the last 30 days of the time zone `tz`. If there may be more, the header `Link: <address>; rel="next"` has the next
 * page; with a condition, a page may be short or empty. `q` is searched for in nickname, title, address, short code and names of labels. All conditions apply together.
 */
export const listLinks = {
  method: "GET",
  path: "/api/links",
  access: "links:read",
  query: z
    .object({
      limit: z._default(pageSize, LINKS_PAGE_DEFAULT_SIZE),
      cursor: z.optional(cursor),
      q: z.optional(
        z.string().check(z.trim(), z.maxLength(LINKS_SEARCH_MAX_LENGTH), z.regex(/^\P{Cc}*$/u)),
      ),
      sort: z._default(LinkOrder, "newest"),
      tz: timeZone,
      store: z.optional(marketplace),
      show: z.optional(LinkFilter),
      label: z.optional(numberText(/^\d{1,9}$/)),
    })
    .check(
      z.refine(({ sort, cursor }) => !cursor || SORT_VALUES[sort](cursor.sortValue), {
        path: ["cursor"],
      }),
    ),
  replies: { 200: z.array(Link) },
} as const satisfies Call;

const { q, store, show, label } = listLinks.query.shape;

/**
 * The ids of the user's links that match the conditions of the list, newest first: LINKS_IDS_MAX_COUNT at most, older than `before`. If
 * there may be more, the header `Link` has the next page, as of `listLinks`.
 */
export const listLinkIds = {
  method: "GET",
  path: "/api/link-ids",
  access: "links:read",
  query: z.object({ q, store, show, label, before: z.optional(numberText(/^\d{1,15}$/)) }),
  replies: { 200: z.array(z.int()) },
} as const satisfies Call;

/** The stores that the user has links to. */
export const listLinkStores = {
  method: "GET",
  path: "/api/links/stores",
  access: "links:read",
  replies: { 200: z.array(marketplace) },
} as const satisfies Call;

export const getLink = {
  method: "GET",
  path: "/api/links/:shortCode",
  access: "links:read",
  params: z.object({ shortCode }),
  replies: { 200: Link },
} as const satisfies Call;

/** Checks the page of a link as soon as possible; `health` shows the result. A page is checked once a minute at most. */
export const checkLink = {
  method: "POST",
  path: "/api/links/:shortCode/check",
  access: "links:write",
  limit: "checkLink",
  params: z.object({ shortCode }),
  /** `isQueued` is false if the page was checked within the last minute, or the link has none. */
  replies: { 202: z.object({ isQueued: z.boolean() }) },
} as const satisfies Call;

const {
  nickname,
  title: newTitle,
  expiresAt: _,
  fallbackUrl: _newFallback,
  ...otherChanges
} = z.partial(OwnerFields).shape;

/**
 * One change: one of the owner's fields (`expiresAt` may be null: never, and `fallbackUrl`: that of the channel); `labels`, which
 * replace those that the link had at `labelsRevision` (409: it has others; without it: none); `slug`, a new
 * short code, while the earlier codes go on working (409: another link has or had it); `domain`, with the same name (409: it is
 * not free there); `channelId`, with which a tag of the channel follows; `tagSource`, with which the tag of the channel
 * replaces the link's (409: there is none in its store), or no longer follows the channel; `url`, a new destination, as
 * for `generate`; or `userId`, with which the session's user claims a link without an owner by its claim cookie (410: the link has expired).
 */
export const updateLink = {
  method: "PATCH",
  path: "/api/links/:shortCode",
  access: "links:write",
  params: z.object({ shortCode }),
  body: z
    .strictObject({
      nickname,
      title: newTitle,
      ...otherChanges,
      slug: z.optional(slug),
      domain: z.optional(linkDomain),
      channelId: z.optional(channelId),
      tagSource: z.optional(z.enum(TAG_SOURCES)),
      expiresAt: z.optional(z.nullable(OwnerFields.shape.expiresAt)),
      fallbackUrl: z.optional(z.nullable(OwnerFields.shape.fallbackUrl)),
      url: z.optional(z.string()),
      labels: z.optional(labelRefs),
      labelsRevision: z.optional(z.string().check(z.maxLength(200))),
      userId: z.optional(z.int()),
    })
    .check(
      z.refine(
        ({ labelsRevision, ...change }) =>
          Object.keys(change).length === 1 && (labelsRevision === undefined || "labels" in change),
        { error: messages.oneChangeExpected },
      ),
    ),
  replies: { 200: Link },
} as const satisfies Call;

/**
 * Gives a link a short code that opens it without tags, unless it has one: what `untaggedUrl` has. It is `{name}-print`, or generated
 * if that is taken. It follows every change of the link, and ends with it.
 */
export const createUntaggedCode = {
  method: "PUT",
  path: "/api/links/:shortCode/untagged",
  access: "links:write",
  params: z.object({ shortCode }),
  replies: { 200: Link },
} as const satisfies Call;

/**
 * Moves several links to a domain, each as `updateLink` does. The result of each link, in the order of `ids`: `error` is the
 * code of the error for which the link was not moved, or null.
 */
export const moveLinks = {
  method: "PUT",
  path: "/api/links/bulk/domain",
  access: "links:write",
  limit: "moveLinks",
  body: z.strictObject({
    ids: z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_MOVE_MAX_COUNT)),
    domain: linkDomain,
  }),
  replies: {
    200: z.object({ results: z.array(z.object({ id: z.int(), error: z.nullable(z.string()) })) }),
  },
} as const satisfies Call;

/**
 * Puts several links on a channel, each as `updateLink` does. `usesChannelTag`: also replaces their tags by those of the channel,
 * where it has one for the store.
 */
export const setLinkChannels = {
  method: "PUT",
  path: "/api/links/bulk/channel",
  access: "links:write",
  body: z.strictObject({
    ids: z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_CHANNEL_MAX_COUNT)),
    channelId,
    usesChannelTag: z.boolean(),
  }),
  replies: {
    200: z.object({ results: z.array(z.object({ id: z.int(), error: z.nullable(z.string()) })) }),
  },
} as const satisfies Call;

export const deleteLink = {
  method: "DELETE",
  path: "/api/links/:id",
  access: "links:write",
  params: z.object({ id: numberText(/^\d{1,15}$/, messages.linkNotFound) }),
  replies: { 200: z.object({ id: z.int(), shortCode: z.string() }) },
} as const satisfies Call;

/** Deletes several links. `isDeleted` is false for ids that are not the user's links. */
export const deleteLinks = {
  method: "DELETE",
  path: "/api/links/bulk",
  access: "links:write",
  body: z.strictObject({
    ids: z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_DELETE_MAX_COUNT)),
  }),
  replies: { 200: z.array(z.object({ id: z.int(), isDeleted: z.boolean() })) },
} as const satisfies Call;
