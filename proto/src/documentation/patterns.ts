import type {
  createPattern,
  deletePattern,
  go,
  LinkPattern,
  listPatterns,
} from "../http/patterns.ts";
import type { CallDocumentation } from "./call-documentation.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_STORE_URL } from "./example-values.ts";

const ID = "m3k8pqr2stuv";
const PATTERN: LinkPattern = {
  id: ID,
  name: "Camping blog",
  prefix: `${EXAMPLE_BASE_URL}/go?p=${ID}&url=`,
  createdAt: "2026-11-21T08:00:00.000Z",
};

export const listPatternsDocumentation: CallDocumentation<typeof listPatterns> = {
  tag: "Links",
  summary: "List link patterns",
  description:
    "Newest first. `prefix` is the address to which a page appends an encoded store address.",
  access: [["session"]],
  limit: "otherApi",
  errors: [],
  example: { replies: { 200: [PATTERN] } },
};

export const createPatternDocumentation: CallDocumentation<typeof createPattern> = {
  tag: "Links",
  summary: "Create a link pattern",
  description: "A user can have at most 20. The id is public and can only create links.",
  access: [["session"]],
  limit: "otherApi",
  errors: ["too-many-patterns"],
  example: { body: { name: PATTERN.name }, replies: { 201: PATTERN } },
};

export const deletePatternDocumentation: CallDocumentation<typeof deletePattern> = {
  tag: "Links",
  summary: "Revoke a link pattern",
  description: "Its addresses respond 404 from then on. The links that it created stay.",
  access: [["session"]],
  limit: "otherApi",
  errors: ["pattern-not-found"],
  example: { params: { id: ID }, replies: { 200: { id: ID } } },
};

export const goDocumentation: CallDocumentation<typeof go> = {
  tag: "Links",
  summary: "Open a store address through a pattern",
  description:
    "For links on the user's own pages. The first visit of a store address creates its link for the owner of the pattern. HEAD requests, crawlers, prefetches and requests of images or frames create nothing, and neither do visits beyond 60 new links of a pattern a minute, 1,000 within 24 hours or 10,000 in total, or beyond 120 a minute from one network address; they are redirected too. On a phone the response is the page that opens the Amazon app, as for the short link.",
  access: [[]],
  limit: "go",
  errors: ["link-expired", "link-not-available", "pattern-not-found", "unusable-link"],
  replyHeaders: {
    Location: { description: "The page of the store.", example: EXAMPLE_STORE_URL },
  },
  example: { query: { p: ID, url: EXAMPLE_STORE_URL }, replies: { 302: {} } },
};
