import * as z from "zod/mini";
import { accountDisabled } from "./accounts.ts";
import { resource } from "./call.ts";
import { TAG_OF_NEW_LINKS } from "./channels.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_STORE_URL } from "./example-values.ts";
import { channelId, linkDomain, slug } from "./fields.ts";
import { slugTaken } from "./general-errors.ts";
import { badIdempotencyKey, CREATE_ERRORS, IDEMPOTENCY_KEY } from "./generate.ts";
import { EXAMPLE_LINK, Link } from "./links.ts";
import { eachOwnerField, OwnerFields } from "./owner-fields.ts";
import { ADDRESS_ERRORS, notAnAmazonLink } from "./rules/link-errors.ts";

/** For requests with many links. */
const BULK_BODY_MAX_BYTES = 2.5 * 1_048_576;
/** Maximum number of links in one request that creates links. */
const LINKS_CREATE_MAX_COUNT = 500;

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

const links = resource("Links", { reads: "links:write", writes: "links:write" });

const SLUG = "camping-mug";
const CREATED = { ...EXAMPLE_LINK, shortCode: SLUG, shortUrl: `${EXAMPLE_BASE_URL}/l/${SLUG}` };

export const createLink = links.post("/api/links", {
  summary: "Create a link of the user",
  description: `\`url\` as for \`generate\`. Each request creates a link, also for the same address. \`slug\` is the short code: 3 to 50 of a to z, 0 to 9 and single hyphens or underscores between them, on an own domain from 1; upper case is stored in lower case. Names of this service and words that look like them are reserved. A slug that was ever used on the host is taken. \`domain\` is an own domain of the user that works, or null for the host of this service; without it the link is on the user's default domain. \`channelId\` is the channel of the link (null: the default channel). ${TAG_OF_NEW_LINKS}`,
  limit: "generate",
  body: NewLink,
  replies: { 201: Link },
  errors: [...ADDRESS_ERRORS, ...CREATE_ERRORS, slugTaken],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  records: "link.created",
  example: {
    body: { url: EXAMPLE_STORE_URL, slug: SLUG },
    replies: { 201: CREATED },
  },
});

const anyText = z.optional(z.string());

/** The texts of `NewLink`, which are checked for each link. */
const BulkItem = z.strictObject({
  url: z.string(),
  slug: anyText,
  domain: z.optional(z.nullable(z.string())),
  channelId: z.optional(channelId),
  usesChannelTag: z.optional(z.boolean()),
  ...eachOwnerField(() => anyText),
});

/** `status` is the one that `createLink` would have. `code` and `message` describe an error. */
const BulkResult = z.union([
  z.strictObject({ status: z.literal(201), link: Link }),
  z.strictObject({ status: z.int(), code: z.string(), message: z.string() }),
]);

export const createLinks = links.post("/api/links/bulk", {
  summary: "Create many links",
  description: `Creates up to 500 links, each as \`createLink\` does. Each has its own result, in the order of the links: \`status\` is the one that the call for one link would respond with, and an error has a stable \`code\` and a \`message\`. A retry with the same \`Idempotency-Key\` returns the links of the first request and creates those that failed. At most 25 of the links may be short links of Amazon.`,
  limit: "createLinks",
  body: z.strictObject({
    links: z
      .array(BulkItem)
      .check(z.minLength(1, linksCountOutOfRange), z.maxLength(LINKS_CREATE_MAX_COUNT, linksCountOutOfRange)),
  }),
  bodyMaxBytes: BULK_BODY_MAX_BYTES,
  replies: { 200: z.object({ results: z.array(BulkResult) }) },
  errors: [accountDisabled, badIdempotencyKey],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  records: "link.created",
  example: {
    body: {
      links: [{ url: EXAMPLE_STORE_URL, slug: SLUG }, { url: "https://shop.example/mug" }],
    },
    replies: {
      200: {
        results: [
          { status: 201, link: CREATED },
          { status: 422, code: "not-an-amazon-link", message: notAnAmazonLink.message },
        ],
      },
    },
  },
});
