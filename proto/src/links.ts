import * as z from "zod/mini";
import { resource } from "./call.ts";
import { channelHasNoTag, channelNotFound } from "./channels.ts";
import { domainNotUsable } from "./domains.ts";
import { EXAMPLE_BASE_URL } from "./example-values.ts";
import {
  asin,
  channelId,
  inputs,
  instant,
  linkDomain,
  marketplace,
  numberText,
  shortCode,
  slug,
  someField,
} from "./fields.ts";
import { linkNotFound, linkTakenDown, slugTaken, tooManyLinks } from "./general-errors.ts";
import { Label, labelNotFound, labelRef, labelRefs, labelsChanged, tooManyLabels } from "./labels.ts";
import { OWNER_TEXTS, OwnerChanges, StoredOwnerFields } from "./owner-fields.ts";
import { error } from "./rules/error.ts";
import {
  CODES_PER_LINK_MAX_COUNT,
  LABELS_PER_USER_MAX_COUNT,
  LINKS_BATCH_MAX_COUNT,
  LINKS_CLAIM_MAX_COUNT,
  LINKS_MOVE_MAX_COUNT,
} from "./rules/limits.ts";
import { ADDRESS_ERRORS } from "./rules/link-errors.ts";
import { CHECK_SOURCES, LINK_STATES } from "./rules/link-health.ts";

/**
 * `own`: the tag in the address is the owner's and changes at their request alone, or there is none. `channel`: it is that of the link's
 * channel, and changes with it.
 */
export const TAG_SOURCES = ["own", "channel"] as const;
export type TagSource = (typeof TAG_SOURCES)[number];

/** The worker's last finding; `unknown` before that. A state of the product needs two checks that agree. */
export const LinkHealth = z.object({
  state: z.enum(LINK_STATES),
  /** Since when the link has this state; null if it is unknown. */
  since: z.nullable(z.iso.datetime()),
  /** The last check of the page to which Amazon responded, and where; null without one. */
  checkedAt: z.nullable(z.iso.datetime()),
  source: z.nullable(z.enum(CHECK_SOURCES)),
  /** The last check of the page, also one without a response. */
  attemptedAt: z.nullable(z.iso.datetime()),
  /** The page that opens now instead of the destination: the link has not started, has expired, or its product is gone. */
  fallbackUrl: z.nullable(z.string()),
});
export type LinkHealth = z.infer<typeof LinkHealth>;

const { title, imageUrl, expiresAt, ...otherFields } = StoredOwnerFields.shape;

/**
 * `title` to `siteName`: what the owner chose, else the metadata of the page. A page without metadata may have a `title` from its
 * address.
 */
export const Link = z.object({
  id: z.int(),
  shortCode: z.string(),
  shortUrl: z.string(),
  /** The short link of the same page without tags, for print and mail; null: it was not created. */
  plainUrl: z.nullable(z.string()),
  /** The own domain that the link is on; null: the site's own host. */
  domain: z.nullable(z.string()),
  originalUrl: z.string(),
  deepLink: z.string(),
  webUrl: z.string(),
  title,
  description: z.nullable(z.string()),
  imageUrl,
  siteName: z.nullable(z.string()),
  ...otherFields,
  userId: z.nullable(z.int()),
  expiresAt,
  createdAt: z.iso.datetime(),
  labels: z.array(Label),
  /** Changes with the labels; empty without labels. */
  labelsRevision: z.string(),
  /** The link's own channel; null: it uses the user's default channel. */
  channelId: z.nullable(z.int()),
  tagSource: z.enum(TAG_SOURCES),
  /** The user has tags, but not this one. */
  hasUnknownTag: z.boolean(),
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

export const linkExpired = error("link-expired", 410, "This link has expired.");
export const rootLinkFixed = error(
  "root-link-fixed",
  422,
  "This link opens at the start of its domain. It cannot get another short code or domain.",
);
export const tooManyShortCodes = error(
  "too-many-short-codes",
  409,
  `A link can have at most ${CODES_PER_LINK_MAX_COUNT} short link names. Please use one of its earlier ones.`,
);
export const linkNotAvailable = error("link-not-available", 410, linkTakenDown.message);

export const links = resource("Links", { reads: "links:read", writes: "links:write" });

export const OWNER_TEXT_NAMES = Object.keys(OWNER_TEXTS)
  .sort()
  .map((name) => `\`${name}\``)
  .join(", ");

export const getLink = links.get("/api/links/:shortCode", {
  summary: "Get a link",
  description: "Links of other users are reported as not found.",
  params: z.object({ shortCode }),
  replies: { 200: Link },
  errors: [linkNotFound],
});

export const checkLink = links.post("/api/links/:shortCode/check", {
  summary: "Check a link now",
  description:
    "Checks the product of the link as soon as possible, before its turn; a product is checked once a minute at most, else `isQueued` is false. `health` of the link shows the result: `attemptedAt` changes with each check, `checkedAt` only if Amazon responded. A product is called gone, out of stock or redirected after two checks that agree, at least six hours apart.",
  limit: "checkLink",
  params: z.object({ shortCode }),
  /** `isQueued` is false if the page was checked within the last minute, or the link has none. */
  replies: { 202: z.object({ isQueued: z.boolean() }) },
  errors: [linkNotFound],
});

const ProductChange = z.strictObject({
  marketplace,
  from: asin,
  to: asin,
  /** When links got the product `from`, by a change that this one undoes. */
  undoOf: z.optional(instant),
});
export type ProductChange = z.infer<typeof ProductChange>;

const LabelResults = z.array(
  z.object({ id: z.int(), error: z.nullable(z.enum(["link-not-found", "too-many-labels-on-link"])) }),
);

export const changeLinks = links.patch("/api/links/bulk", {
  summary: "Change several links",
  description:
    "`removeLabels` and then `addLabels`, each an id or a name, change the labels of the links `ids`. A name that is new creates a label. Each link has its own result, in the order of `ids`; `error` is the code of the error for which the link was not changed, or null. Repeating the request changes nothing more. `product`, without `ids`, gives all links of the user to the product `from` of a store the product `to`, within seconds. Tags and other parameters stay, and so do fallbacks, and links that were taken down. To undo that, send `from` and `to` in the other order, with its `changedAt` as `undoOf`: the links that it changed, and that still have its product, get their addresses back, with the tags of now.",
  body: z
    .strictObject({
      ids: z._default(z.array(z.int()).check(z.maxLength(LINKS_BATCH_MAX_COUNT)), []),
      addLabels: z._default(labelRefs, []),
      removeLabels: z._default(z.array(labelRef).check(z.maxLength(LABELS_PER_USER_MAX_COUNT)), []),
      product: z.optional(ProductChange),
    })
    .check(
      z.refine(({ ids, addLabels, removeLabels, product }) => {
        const [hasLinks, hasLabels] = [ids.length > 0, addLabels.length + removeLabels.length > 0];
        return hasLinks === hasLabels && hasLinks !== (product !== undefined);
      }),
    )
    .register(inputs, {
      also: {
        oneOf: [
          {
            required: ["ids"],
            properties: { ids: { minItems: 1 }, product: false },
            anyOf: ["addLabels", "removeLabels"].map((name) => ({
              required: [name],
              properties: { [name]: { minItems: 1 } },
            })),
          },
          { required: ["product"], maxProperties: 1 },
        ],
      },
    }),
  stale: ["Labels"],
  replies: {
    200: z.object({ results: LabelResults }),
    202: z.object({ results: LabelResults, changedAt: z.iso.datetime() }),
  },
  errors: [labelNotFound, tooManyLabels],
  records: ["label.created", "link.changed"],
  example: { body: { ids: [1042, 8], addLabels: ["Camping"], removeLabels: [9] }, replies: { 202: { results: [] } } },
});
export type LabelLinksResult = z.infer<(typeof changeLinks.replies)[200]>["results"][number];

export const updateLink = links.patch("/api/links/:shortCode", {
  summary: "Change a link",
  description: `Changes all the fields that are sent, or none: ${OWNER_TEXT_NAMES}, \`slug\`, \`expiresAt\` (null: never), \`startsAt\` (null: at once), \`fallbackUrl\` (the page of an Amazon store that opens, with the tag of the channel, until the link starts, and once the link has expired or two checks found that its product is gone; null: that of the channel), \`opening\` (on phones: \`app\` opens the app as the strategy table says, \`tap\` only after a tap, \`browser\` the store in the browser at once; null: as \`app\`), \`imageUrl\` (the address of one of Amazon's pictures, which previews and the page that opens the app show; null: that of the page), \`url\` (the destination), \`domain\` (an own domain; null: the host of this service; the name stays) \`labels\` (ids or names, which replace those of the link; with \`labelsRevision\` only if it still is that of the link; \`PATCH /api/links/bulk\` adds and removes labels), \`channelId\` (null: the default channel; a tag of the channel before becomes that of this one, if it has one in the store) or \`tagSource\` (\`channel\`: the tag of the link's channel in the store replaces that of the link, and changes with it; \`own\`: the tag stays as it is, and is one of the user's) of an own link, and \`userId\`, with which the session's user claims a link without an owner that the claim cookie of the request created. An address (\`url\`) that the link has already changes nothing. After a change of \`slug\` or \`domain\` the earlier short codes go on opening the link. Redirects of ${EXAMPLE_BASE_URL}/l/… follow within a second.`,
  params: z.object({ shortCode }),
  body: z
    .strictObject({
      ...OwnerChanges.shape,
      slug: z.optional(slug),
      domain: z.optional(linkDomain),
      channelId: z.optional(channelId),
      tagSource: z.optional(z.enum(TAG_SOURCES)),
      url: z.optional(z.string()),
      labels: z.optional(labelRefs),
      labelsRevision: z.optional(z.string().check(z.maxLength(200))),
      userId: z.optional(z.int()),
    })
    .check(
      someField,
      z.refine(({ labels, labelsRevision }) => labels !== undefined || labelsRevision === undefined),
    )
    .register(inputs, { also: { minProperties: 1 } }),
  replies: { 200: Link },
  errors: [
    ...ADDRESS_ERRORS,
    channelHasNoTag,
    channelNotFound,
    domainNotUsable,
    labelNotFound,
    labelsChanged,
    linkExpired,
    linkNotAvailable,
    linkNotFound,
    linkTakenDown,
    rootLinkFixed,
    slugTaken,
    tooManyLabels,
    tooManyLinks,
    tooManyShortCodes,
  ],
  records: "link.changed",
});

export const linkNeedsTag = error(
  "link-needs-tag",
  409,
  "This cart does not open without a tag. Please share its product.",
);

export const createUntaggedCode = links.put("/api/links/:shortCode/untagged", {
  summary: "Create the short link without a tag",
  description:
    "Amazon's rules forbid tags offline and in email. `plainUrl` of the link then opens the same page without tags, and its taps count as `untagged` in the breakdown by store. A cart needs a tag: instead of one, its first product opens. Does nothing if the link has it.",
  params: z.object({ shortCode }),
  replies: { 200: Link },
  errors: [linkNeedsTag, linkNotFound, linkTakenDown, slugTaken],
  records: "link.changed",
  example: { replies: { 200: { plainUrl: `${EXAMPLE_BASE_URL}/l/k7m2pqr-print` } } },
});

const batchIds = z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_BATCH_MAX_COUNT));
/** `error` is a code, or null. */
const Results = z.object({ results: z.array(z.object({ id: z.int(), error: z.nullable(z.string()) })) });

export const moveLinks = links.put("/api/links/bulk/domain", {
  summary: "Move several links to a domain",
  description:
    "Each keeps its name, and its earlier short codes still open it. `domain` is an own domain of the user that works, or null for the host of this service. The results are in the order of `ids`; `error` is the code of the error for which the link was not moved, such as `slug-taken`, or null.",
  limit: "moveLinks",
  body: z.strictObject({
    ids: z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_MOVE_MAX_COUNT)),
    domain: linkDomain,
  }),
  replies: { 200: Results },
  errors: [domainNotUsable],
  records: "link.changed",
});

export const setLinkChannels = links.put("/api/links/bulk/channel", {
  summary: "Put several links on a channel",
  description:
    "A channel's tag is replaced by the new channel's, if that has one for the store. `usesChannelTag` also replaces other tags. The results are in the order of `ids`; `error` is the code of the error for which the link was not changed, or null.",
  body: z.strictObject({
    ids: batchIds,
    channelId,
    usesChannelTag: z.boolean(),
  }),
  stale: ["Channels"],
  replies: { 200: Results },
  errors: [channelNotFound],
  records: "link.changed",
});

export const deleteLink = links.delete("/api/links/:id", {
  summary: "Delete a link",
  description:
    "It stops opening at once, and its short code is never issued again. For a day `POST /api/links/bulk/restore` brings it back.",
  params: z.object({ id: numberText(/^\d{1,15}$/, linkNotFound.message) }),
  replies: { 200: z.object({ id: z.int(), shortCode: z.string() }) },
  errors: [linkNotFound],
  records: "link.deleted",
});

export const deleteLinks = links.delete("/api/links/bulk", {
  summary: "Delete several links",
  description: "As `DELETE /api/links/:id`. `isDeleted` is false for ids that are not the user's links.",
  body: z.strictObject({ ids: batchIds }),
  replies: { 200: z.array(z.object({ id: z.int(), isDeleted: z.boolean() })) },
  records: "link.deleted",
});

export const restoreLinks = links.post("/api/links/bulk/restore", {
  summary: "Restore deleted links",
  description:
    "Links that were deleted within the last day come back with their short codes, labels, channel and clicks. The results are in the order of `ids`; `error` is the code of the error for which the link was not restored, such as `link-not-found`, or null. A link that is not deleted is left as it is.",
  body: z.strictObject({ ids: batchIds }),
  replies: { 200: Results },
  records: "link.restored",
});

export const claimLinks = links.post("/api/links/bulk/claim", {
  summary: "Claim several links",
  description:
    "The session's user, who is `userId`, claims those of the links that have no owner and that the claim cookie of the request created. The results are in the order of `shortCodes`; `error` is the code of the error for which the link was not claimed, or null.",
  access: "session",
  body: z.strictObject({
    userId: z.int(),
    shortCodes: z.array(shortCode).check(z.minLength(1), z.maxLength(LINKS_CLAIM_MAX_COUNT)),
  }),
  replies: {
    200: z.object({ results: z.array(z.object({ shortCode: z.string(), error: z.nullable(z.string()) })) }),
  },
  errors: [linkNotFound, tooManyLinks],
  records: "link.claimed",
});
