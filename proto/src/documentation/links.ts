import type * as generateCalls from "../http/generate.ts";
import type * as linksCalls from "../http/links.ts";
import { OWNER_TEXTS } from "../http/owner-fields.ts";
import { LINKS_IDS_MAX_COUNT } from "../rules/limits.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import {
  EXAMPLE_BASE_URL,
  EXAMPLE_CODE,
  EXAMPLE_LINK,
  EXAMPLE_OWNER_FIELDS,
  EXAMPLE_STORE_URL,
} from "./example-values.ts";
import { IDEMPOTENCY_KEY } from "./headers.ts";

/** The names of the owner's texts, for descriptions. */
export const OWNER_TEXT_NAMES = Object.keys(OWNER_TEXTS)
  .sort()
  .map((name) => `\`${name}\``)
  .join(", ");

const { id, shortCode, shortUrl, deepLink, originalUrl } = EXAMPLE_LINK;
const GENERATED = { shortCode, shortUrl, deepLink, originalUrl };

export const linksDocumentation: DocumentationOf<typeof generateCalls & typeof linksCalls> = {
  generate: {
    tag: "Links",
    summary: "Create a short link",
    description:
      "`url` is the address of a page of an Amazon store, or a short link of Amazon that leads to one. 201 with a new link. 200 with an existing one if the `Idempotency-Key` was used for it, or if the browser of a visitor without an account created it for the same address within the last ten minutes. The link belongs to the caller's user. Without a user it expires after seven days, and the browser that holds the claim cookie can claim it. `domain` is an own domain of the user that works, or null for the host of this service; without it the link is on the user's default domain. For users, `channelId` is the channel of the link, and with `usesChannelTag` an address without a tag gets that of the channel in its store, if there is one, and follows it.",
    access: [[], ["session"], ["firebaseToken"], ["links:write"]],
    errors: [
      "account-disabled",
      "account-not-found",
      "bad-idempotency-key",
      "bad-token",
      "channel-not-found",
      "domain-not-usable",
      "idempotency-key-reused",
      "link-incomplete",
      "link-missing",
      "link-too-long",
      "not-a-shopping-page",
      "not-an-amazon-link",
      "proof-of-work-required",
      "short-link-failed",
      "short-link-too-slow",
      "unusable-link",
    ],
    requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
    replyHeaders: {
      "Set-Cookie": {
        description: "The claim cookie, if the caller has no user and no such cookie.",
        example: "__Host-claim=…; path=/; secure; httponly; samesite=lax",
      },
    },
    example: {
      body: { url: EXAMPLE_STORE_URL },
      replies: {
        200: { ...GENERATED, title: EXAMPLE_LINK.title, imageUrl: EXAMPLE_LINK.imageUrl },
        201: { ...GENERATED, title: null, imageUrl: null },
      },
    },
  },
  listLinks: {
    tag: "Links",
    summary: "List links",
    description:
      "The user's links, newest first, by name, or by taps of people in the last 30 days of the time zone `tz`. If there may be more, the header `Link` has the address of the next page; do not build a `cursor` yourself. A page may have fewer links than `limit`, or none, because one request looks at a part of many links. `q` is searched for in nickname, title, address, short code and names of labels. `label` is the id of a label. All conditions apply together. `sort=clicks` also requires `clicks:read`.",
    errors: ["missing-scope-clicks-read"],
    replyHeaders: {
      Link: {
        description: "The next page (RFC 8288). Absent on the last page.",
        example: '</api/links?limit=50&cursor=1042>; rel="next"',
      },
    },
    example: { query: { limit: "50", q: "mug" }, replies: { 200: [EXAMPLE_LINK] } },
  },
  listLinkIds: {
    tag: "Links",
    summary: "List the ids of links",
    description: `The ids of the links that match the conditions of the list, newest first, up to ${LINKS_IDS_MAX_COUNT}. If there may be more, the header \`Link\` has the address of the next page, which may be empty.`,
    errors: [],
    replyHeaders: {
      Link: {
        description: "The next page (RFC 8288). Absent on the last page.",
        example: '</api/link-ids?show=no-tag&before=1042>; rel="next"',
      },
    },
    example: { query: { show: "no-tag" }, replies: { 200: [id, 7] } },
  },
  listLinkStores: {
    tag: "Links",
    summary: "List the stores of the links",
    description: "The Amazon stores that the user has links to.",
    errors: [],
    example: { replies: { 200: ["com", "de"] } },
  },
  getLink: {
    tag: "Links",
    summary: "Get a link",
    description: "Links of other users are reported as not found.",
    errors: ["link-not-found"],
    example: { params: { shortCode: EXAMPLE_CODE }, replies: { 200: EXAMPLE_LINK } },
  },
  checkLink: {
    tag: "Links",
    summary: "Check a link now",
    description:
      "Checks the product of the link as soon as possible, before its turn; a product is checked once a minute at most, else `isQueued` is false. `health` of the link shows the result: `attemptedAt` changes with each check, `checkedAt` only if Amazon responded. A product is called gone, out of stock or redirected after two checks that agree, at least six hours apart.",
    errors: ["link-not-found"],
    example: { params: { shortCode: EXAMPLE_CODE }, replies: { 202: { isQueued: true } } },
  },
  updateLink: {
    tag: "Links",
    summary: "Change a link",
    description: `Exactly one change: ${OWNER_TEXT_NAMES}, \`slug\`, \`expiresAt\` (null: never), \`fallbackUrl\` (the page of an Amazon store that opens, with the tag of the channel, once the link has expired or two checks found that its product is gone; null: that of the channel), \`url\` (the destination), \`domain\` (an own domain; null: the host of this service; the name stays) \`labels\` (ids or names, which replace those that the link had at \`labelsRevision\`; without it the link may have none; \`PATCH /api/links/bulk\` adds and removes labels), \`channelId\` (null: the default channel; a tag of the channel before becomes that of this one, if it has one in the store) or \`tagSource\` (\`channel\`: the tag of the link's channel in the store replaces that of the link, and changes with it; \`own\`: the tag stays as it is) of an own link, or \`userId\`, with which the session's user claims a link without an owner that the claim cookie of the request created. After a change of \`slug\` or \`domain\` the earlier short codes go on opening the link. Redirects of ${EXAMPLE_BASE_URL}/l/… follow within a second.`,
    errors: [
      "channel-has-no-tag",
      "channel-not-found",
      "domain-not-usable",
      "label-not-found",
      "labels-changed",
      "link-expired",
      "link-incomplete",
      "link-missing",
      "link-not-available",
      "link-not-found",
      "link-taken-down",
      "link-too-long",
      "not-a-shopping-page",
      "not-an-amazon-link",
      "root-link-fixed",
      "short-link-failed",
      "short-link-too-slow",
      "slug-taken",
      "too-many-labels",
      "too-many-short-codes",
      "unusable-link",
    ],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      body: { nickname: EXAMPLE_OWNER_FIELDS.nickname },
      replies: { 200: EXAMPLE_LINK },
    },
  },
  createUntaggedCode: {
    tag: "Links",
    summary: "Create the short link without tag",
    description:
      "Amazon's rules refuse tags offline and in mail. `untaggedUrl` of the link then opens the same page without tags, and its taps count as `untagged` in the breakdown by store. Does nothing if the link has it.",
    errors: ["link-not-found", "link-taken-down", "slug-taken"],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      replies: { 200: { ...EXAMPLE_LINK, untaggedUrl: `${shortUrl}-print` } },
    },
  },
  moveLinks: {
    tag: "Links",
    summary: "Move several links to a domain",
    description:
      "Each keeps its name, and its earlier short codes go on opening it. `domain` is an own domain of the user that works, or null for the host of this service. The results are in the order of `ids`; `error` is the code of the error for which the link was not moved, such as `slug-taken`, or null.",
    errors: ["domain-not-usable"],
    example: {
      body: { ids: [id, 8], domain: null },
      replies: {
        200: {
          results: [
            { id, error: null },
            { id: 8, error: "slug-taken" },
          ],
        },
      },
    },
  },
  setLinkChannels: {
    tag: "Links",
    summary: "Put several links on a channel",
    description:
      "Tags that are those of a channel become those of the new one, where it has one for the store. `usesChannelTag` also replaces other tags. The results are in the order of `ids`; `error` is the code of the error for which the link was not changed, or null.",
    errors: ["channel-not-found"],
    example: {
      body: { ids: [id, 8], channelId: 3, usesChannelTag: false },
      replies: {
        200: {
          results: [
            { id, error: null },
            { id: 8, error: "link-not-found" },
          ],
        },
      },
    },
  },
  deleteLink: {
    tag: "Links",
    summary: "Delete a link",
    description: "The short code is never issued again.",
    errors: ["link-not-found"],
    example: { params: { id: String(id) }, replies: { 200: { id, shortCode } } },
  },
  deleteLinks: {
    tag: "Links",
    summary: "Delete several links",
    description: "`isDeleted` is false for ids that are not the user's links.",
    errors: [],
    example: {
      body: { ids: [id, 7] },
      replies: {
        200: [
          { id, isDeleted: true },
          { id: 7, isDeleted: false },
        ],
      },
    },
  },
};
