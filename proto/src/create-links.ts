import * as z from "zod/mini";
import { accountDisabled } from "./accounts.ts";
import { resource } from "./call.ts";
import { channelNotFound, TAG_OF_NEW_LINKS } from "./channels.ts";
import { channelId, labelName, linkDomain, slug } from "./fields.ts";
import { slugTaken, tooManyLinks } from "./general-errors.ts";
import { badIdempotencyKey, CREATE_ERRORS, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_PATTERN } from "./generate.ts";
import { Link } from "./links.ts";
import { eachOwnerField, OwnerFields } from "./owner-fields.ts";
import {
  LABELS_PER_LINK_MAX_COUNT,
  LINKS_CREATE_MAX_COUNT,
  LINKS_FIND_MAX_COUNT,
  SHORT_LINKS_CREATE_MAX_COUNT,
} from "./rules/limits.ts";
import { ADDRESS_ERRORS, notAnAmazonLink } from "./rules/link-errors.ts";

const BULK_BODY_MAX_BYTES = 1_048_576;
const linksCountOutOfRange = `Send 1 to ${LINKS_CREATE_MAX_COUNT} links.`;

/**
 * A link to create for an owner. Without `slug` its code is generated, without `expiresAt` it never expires, without `domain` it
 * is on the user's default domain. `usesChannelTag`: see TAG_OF_NEW_LINKS.
 */
export const NewLink = z.strictObject({
  url: z.string(),
  slug: z.optional(slug),
  domain: z.optional(linkDomain),
  channelId: z.optional(channelId),
  usesChannelTag: z.optional(z.boolean()),
  ...z.partial(OwnerFields).shape,
});
export type NewLink = z.infer<typeof NewLink>;

/**
 * A link of a request with many. `labels`: names, of which new ones become labels while the user can have more; `mayReplaceSlug`: a
 * `slug` that cannot be had gives a generated code in place of an error; `unlessKnown`: as in the description of `createLinks`.
 */
export const BulkLink = z.extend(NewLink, {
  labels: z.optional(z.array(labelName).check(z.maxLength(LABELS_PER_LINK_MAX_COUNT))),
  mayReplaceSlug: z.optional(z.boolean()),
  unlessKnown: z.optional(z.boolean()),
  idempotencyKey: z.optional(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN, badIdempotencyKey.message))),
});
export type BulkLink = z.infer<typeof BulkLink>;

const links = resource("Links", { reads: "links:write", writes: "links:write" });

export const createLink = links.post("/api/links", {
  summary: "Create a link of the user",
  description: `\`url\` as for \`generate\`. Each request creates a link, also for the same address. \`slug\` is the short code: 3 to 50 of a to z, 0 to 9 and single hyphens or underscores between them, on an own domain from 1; upper case is stored in lower case. Names of this service and words that look like them are reserved. A slug that was ever used on the host is taken. \`domain\` is an own domain of the user that works, or null for the host of this service; without it the link is on the user's default domain. \`channelId\` is the channel of the link (null: the default channel). ${TAG_OF_NEW_LINKS}`,
  limit: "generate",
  body: NewLink,
  stale: ["Earnings"],
  replies: { 201: Link },
  errors: [...ADDRESS_ERRORS, ...CREATE_ERRORS, slugTaken],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  records: "link.created",
  example: { body: { slug: "camping-mug" } },
});

const anyText = z.optional(z.string());

/** The texts of `BulkLink`, which are checked for each link. */
const BulkItem = z.strictObject({
  url: z.string(),
  slug: anyText,
  domain: z.optional(z.nullable(z.string())),
  channelId: z.optional(channelId),
  usesChannelTag: z.optional(z.boolean()),
  ...eachOwnerField(() => anyText),
  labels: z.optional(z.array(z.string())),
  mayReplaceSlug: z.optional(z.boolean()),
  unlessKnown: z.optional(z.boolean()),
  idempotencyKey: anyText,
});

/** `status` is the one that `createLink` would have, or 200 of a link that the user has. `code` and `message` describe an error. */
const BulkResult = z.union([
  z.strictObject({ status: z.literal([200, 201]), link: Link }),
  z.strictObject({ status: z.int(), code: z.string(), message: z.string() }),
]);

export const createLinks = links.post("/api/links/bulk", {
  summary: "Create many links",
  description: `Creates up to ${LINKS_CREATE_MAX_COUNT} links, each as \`createLink\` does. Each has its own result, in the order of the links: \`status\` is the one that the call for one link would respond with, and an error has a stable \`code\` and a \`message\`. \`labels\` are names; those that are new become labels while the user can have more. With \`mayReplaceSlug\` a link whose \`slug\` is taken or reserved gets a generated code. With \`unlessKnown\` no link is created if the user has one to the same page that the slug opens, or, without a slug that can be had, one with the same nickname, or with any if it has none: the result is that link, with status 200. A retry with the same \`Idempotency-Key\`, or with the same \`idempotencyKey\` of a link, returns the links of the first request and creates those that failed. At most ${SHORT_LINKS_CREATE_MAX_COUNT} of the links may be short links of Amazon.`,
  limit: "createLinks",
  body: z.strictObject({
    links: z
      .array(BulkItem)
      .check(z.minLength(1, linksCountOutOfRange), z.maxLength(LINKS_CREATE_MAX_COUNT, linksCountOutOfRange)),
  }),
  bodyMaxBytes: BULK_BODY_MAX_BYTES,
  stale: ["Labels", "Channels", "Earnings"],
  replies: { 200: z.object({ results: z.array(BulkResult) }) },
  errors: [accountDisabled, badIdempotencyKey, tooManyLinks],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  records: ["label.created", "link.created"],
  example: {
    replies: { 200: { results: [{ status: 422, code: "not-an-amazon-link", message: notAnAmazonLink.message }] } },
  },
});

const WantedLink = z.strictObject({
  url: z.string(),
  slug: anyText,
  domain: z.optional(z.nullable(z.string())),
  channelId: z.optional(channelId),
  usesChannelTag: z.optional(z.boolean()),
});

export const findKnownLinks = links.post("/api/links/bulk/known", {
  summary: "Find the user's links among many",
  description: `What \`createLinks\` would find for each of up to ${LINKS_FIND_MAX_COUNT} links, in their order: \`webUrl\`, the address that it would lead to, with its tag (null: no page of Amazon); whether \`slug\` is or was in use; and \`slugLink\`, the code of the user's link that the slug opens, if it leads to that address. \`links\` are the user's links to these addresses that have not expired. Short links of Amazon are not looked up.`,
  limit: "findLinks",
  body: z.strictObject({
    links: z.array(WantedLink).check(z.minLength(1), z.maxLength(LINKS_FIND_MAX_COUNT)),
  }),
  bodyMaxBytes: BULK_BODY_MAX_BYTES,
  replies: {
    200: z.object({
      results: z.array(
        z.object({ webUrl: z.nullable(z.string()), isSlugUsed: z.boolean(), slugLink: z.nullable(z.string()) }),
      ),
      links: z.array(z.object({ webUrl: z.string(), shortCode: z.string(), nickname: z.nullable(z.string()) })),
    }),
  },
  errors: [channelNotFound],
  example: { body: { links: [{ url: "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=anna-21", slug: "camping-mug" }] } },
});
