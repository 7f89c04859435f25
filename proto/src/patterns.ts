import * as z from "zod/mini";
import { resource } from "./call.ts";
import { channelNotFound, TAG_OF_NEW_LINKS } from "./channels.ts";
import { PAGE_MAX_LENGTH, SITE_PAGE } from "./clicks/keys.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_STORE_URL } from "./example-values.ts";
import { channelId, inputs, patternName, someField, tag } from "./fields.ts";
import { error } from "./rules/error.ts";
import { PATTERNS_MAX_COUNT } from "./rules/limits.ts";
import { unusableLink } from "./rules/link-errors.ts";
import { SHORT_CODE_ALPHABET } from "./rules/short-code.ts";

const PATTERN_TAGS_MAX_COUNT = 20;
/** 31^12: a pattern cannot be guessed. */
export const PATTERN_ID_LENGTH = 12;
export const PATTERN_ID: RegExp = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${PATTERN_ID_LENGTH}}$`);

/** A link pattern: visits of `prefix` and an encoded store address create a link of the user and open it. */
export const LinkPattern = z.object({
  /** Public: it is part of addresses on the user's pages. It can only create links. */
  id: z.string(),
  name: z.string(),
  /** The address to which the store address is appended, encoded as a query value. */
  prefix: z.string(),
  /** Only addresses with one of these tags get a link; empty: all. */
  tags: z.array(z.string()),
  /** Of the links that it creates; null: the user's default channel. */
  channelId: z.nullable(z.int()),
  /** Whether addresses without a tag get that of the channel. */
  usesChannelTag: z.boolean(),
  /** The links that the pattern created, and those of the last 24 hours. */
  linkCount: z.int(),
  linkCountOfDay: z.int(),
  createdAt: z.iso.datetime(),
});
export type LinkPattern = z.infer<typeof LinkPattern>;

export const patternNotFound = error("pattern-not-found", 404, "This link pattern does not exist.");
export const tooManyPatterns = error(
  "too-many-patterns",
  409,
  `You can have at most ${PATTERNS_MAX_COUNT} link patterns.`,
);

const links = resource("Links", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "editor" },
});

const ID = "m3k8pqr2stuv";
const PATTERN: LinkPattern = {
  id: ID,
  name: "Camping blog",
  prefix: `${EXAMPLE_BASE_URL}/go?p=${ID}&url=`,
  tags: ["anna-21"],
  channelId: 3,
  usesChannelTag: true,
  linkCount: 412,
  linkCountOfDay: 3,
  createdAt: "2026-11-21T08:00:00.000Z",
};

export const listPatterns = links.get("/api/patterns", {
  summary: "List link patterns",
  description:
    "Newest first. `prefix` is the address to which a page appends an encoded store address. Only addresses whose tag is in `tags` get a link; if it is empty, all do. `linkCount` are the links that the pattern created and that still belong to it, `linkCountOfDay` those of the last 24 hours.",
  replies: { 200: z.array(LinkPattern) },
  example: { replies: { 200: [PATTERN] } },
});

export const createPattern = links.post("/api/patterns", {
  summary: "Create a link pattern",
  description: "A user can have at most 20. The id is public and can only create links.",
  body: z.strictObject({ name: patternName }),
  replies: { 201: LinkPattern },
  errors: [tooManyPatterns],
  records: "pattern.created",
  example: {
    body: { name: PATTERN.name },
    replies: { 201: { ...PATTERN, tags: [], linkCount: 0, linkCountOfDay: 0 } },
  },
});

const params = z.object({ id: z.string().check(z.regex(PATTERN_ID, patternNotFound.message)) });

export const updatePattern = links.patch("/api/patterns/:id", {
  summary: "Change a link pattern",
  description: `Replaces \`tags\`, or changes the channel of the links that the pattern creates. Of \`tags\`: visits of addresses without a tag, or with another one, are then redirected to the store and neither create nor count a link. With an empty list all addresses get links again. ${TAG_OF_NEW_LINKS}`,
  params,
  body: z
    .strictObject({
      tags: z.optional(
        z
          .array(tag)
          .check(
            z.maxLength(PATTERN_TAGS_MAX_COUNT, `A link pattern can have at most ${PATTERN_TAGS_MAX_COUNT} tags.`),
          ),
      ),
      channelId: z.optional(channelId),
      usesChannelTag: z.optional(z.boolean()),
    })
    .check(someField)
    .register(inputs, { also: { minProperties: 1 } }),
  replies: { 200: LinkPattern },
  errors: [channelNotFound, patternNotFound],
  records: "pattern.changed",
  example: { params: { id: ID }, body: { tags: PATTERN.tags }, replies: { 200: PATTERN } },
});

export const deletePattern = links.delete("/api/patterns/:id", {
  summary: "Revoke a link pattern",
  description: "Its addresses respond 404 from then on. The links that it created stay.",
  params,
  replies: { 200: z.object({ id: z.string() }) },
  errors: [patternNotFound],
  records: "pattern.deleted",
  example: { params: { id: ID }, replies: { 200: { id: ID } } },
});

export const deletePatternLinks = links.delete("/api/patterns/:id/links", {
  summary: "Delete the links of a link pattern",
  description:
    "Deletes the links that the pattern created, as `DELETE /api/links/{id}` does. The next visit of an address creates a new link for it. Links that got another destination no longer belong to the pattern and stay.",
  params,
  stale: "all",
  replies: { 200: z.object({ deletedCount: z.int() }) },
  errors: [patternNotFound],
  records: "link.deleted",
  example: { params: { id: ID }, replies: { 200: { deletedCount: 412 } } },
});

const sitePage = z.string().check(z.maxLength(PAGE_MAX_LENGTH), z.regex(SITE_PAGE));

export const go = links.get("/go", {
  summary: "Open a store address through a pattern",
  description:
    "For links on the user's own pages. The first visit of a store address creates its link for the owner of the pattern. HEAD requests, crawlers, prefetches and requests of images or frames create nothing, and neither do visits of addresses with other tags than the pattern's, visits beyond 60 new links of a pattern a minute or 1,000 within 24 hours, or beyond 120 a minute or 50 of a pattern a day from one network address; they are redirected too. Of the 10,000 links that a pattern can have, a further one replaces those that are older than a day, were not changed by their owner and were visited once at most. `page` is the host and path of the page with the link, by which taps are counted if the `Referer` has that host; any other text is ignored. If the address has a link, the response is that of the short link, such as the page that opens the Amazon app on a phone, or the fallback of a link that has expired.",
  access: "anyone",
  limit: "go",
  query: z.object({ p: z.string(), url: z.string(), page: z.catch(z.optional(sitePage), undefined) }),
  replies: { 302: z.object({}) },
  errors: [patternNotFound, unusableLink],
  replyHeaders: {
    Location: { description: "The page of the store.", example: EXAMPLE_STORE_URL },
  },
  example: { query: { p: ID, url: EXAMPLE_STORE_URL }, replies: { 302: {} } },
});
