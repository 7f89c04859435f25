import type * as patternsCalls from "../http/patterns.ts";
import type { LinkPattern } from "../http/patterns.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_STORE_URL } from "./example-values.ts";

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

export const patternsDocumentation: DocumentationOf<typeof patternsCalls> = {
  listPatterns: {
    tag: "Links",
    summary: "List link patterns",
    description:
      "Newest first. `prefix` is the address to which a page appends an encoded store address. Only addresses whose tag is in `tags` get a link; if it is empty, all do. `linkCount` are the links that the pattern created and that still belong to it, `linkCountOfDay` those of the last 24 hours.",
    errors: [],
    example: { replies: { 200: [PATTERN] } },
  },
  createPattern: {
    tag: "Links",
    summary: "Create a link pattern",
    description: "A user can have at most 20. The id is public and can only create links.",
    errors: ["too-many-patterns"],
    example: {
      body: { name: PATTERN.name },
      replies: { 201: { ...PATTERN, tags: [], linkCount: 0, linkCountOfDay: 0 } },
    },
  },
  updatePattern: {
    tag: "Links",
    summary: "Change a link pattern",
    description:
      "Replaces `tags`, or changes the channel of the links that the pattern creates. Of `tags`: visits of addresses without a tag, or with another one, are then redirected to the store and neither create nor count a link. With an empty list all addresses get links again. `usesChannelTag`: an address without a tag gets that of the channel.",
    errors: ["channel-not-found", "pattern-not-found"],
    example: { params: { id: ID }, body: { tags: PATTERN.tags }, replies: { 200: PATTERN } },
  },
  deletePattern: {
    tag: "Links",
    summary: "Revoke a link pattern",
    description: "Its addresses respond 404 from then on. The links that it created stay.",
    errors: ["pattern-not-found"],
    example: { params: { id: ID }, replies: { 200: { id: ID } } },
  },
  deletePatternLinks: {
    tag: "Links",
    summary: "Delete the links of a link pattern",
    description:
      "Deletes the links that the pattern created, as `DELETE /api/links/{id}` does. The next visit of an address creates a new link for it. Links that got another destination no longer belong to the pattern and stay.",
    errors: ["pattern-not-found"],
    example: { params: { id: ID }, replies: { 200: { deletedCount: 412 } } },
  },
  go: {
    tag: "Links",
    summary: "Open a store address through a pattern",
    description:
      "For links on the user's own pages. The first visit of a store address creates its link for the owner of the pattern. HEAD requests, crawlers, prefetches and requests of images or frames create nothing, and neither do visits of addresses with other tags than the pattern's, visits beyond 60 new links of a pattern a minute or 1,000 within 24 hours, or beyond 120 a minute from one network address; they are redirected too. Of the 10,000 links that a pattern can have, a further one replaces those that are older than a day, were not changed by their owner and were visited once at most. On a phone the response is the page that opens the Amazon app, as for the short link.",
    errors: ["link-expired", "link-not-available", "pattern-not-found", "unusable-link"],
    replyHeaders: {
      Location: { description: "The page of the store.", example: EXAMPLE_STORE_URL },
    },
    example: { query: { p: ID, url: EXAMPLE_STORE_URL }, replies: { 302: {} } },
  },
};
