import * as z from "zod/mini";
import { BULK_BODY_MAX_BYTES, LINKS_CREATE_MAX_COUNT } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { channelId, linkDomain, slug } from "./fields.ts";
import { Link } from "./links.ts";
import { eachOwnerField, OwnerFields } from "./owner-fields.ts";

/**
 * A link to create for an owner. Without `slug` its code is generated, without `expiresAt` it never expires, without `domain` it
 * is on the user's default domain. `usesChannelTag`: an address without a tag gets that of the channel in its store, if there is
 * one, and follows it.
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
 * Creates a link of the user: 201. Each request creates one, also for the same address; an `Idempotency-Key` header makes
 * a retry safe, which gets 200 with the link of the first request. 409: the slug is taken.
 */
export const createLink = {
  method: "POST",
  path: "/api/links",
  access: "links:write",
  limit: "generate",
  body: NewLink,
  replies: { 200: Link, 201: Link },
} as const satisfies Call;

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
  z.strictObject({ status: z.union([z.literal(200), z.literal(201)]), link: Link }),
  z.strictObject({ status: z.int(), code: z.string(), message: z.string() }),
]);

/**
 * Creates many links, each as `createLink` does: the results are in the order of the links, and an error of one does not
 * affect the others. A retry with the same `Idempotency-Key` returns the links of the first request and creates those that
 * failed. At most SHORT_LINKS_CREATE_MAX_COUNT links may be Amazon's short links.
 */
export const createLinks = {
  method: "POST",
  path: "/api/links/bulk",
  access: "links:write",
  limit: "createLinks",
  body: z.strictObject({
    links: z
      .array(BulkItem)
      .check(
        z.minLength(1, messages.linksCountOutOfRange),
        z.maxLength(LINKS_CREATE_MAX_COUNT, messages.linksCountOutOfRange),
      ),
  }),
  bodyMaxBytes: BULK_BODY_MAX_BYTES,
  replies: { 200: z.object({ results: z.array(BulkResult) }) },
} as const satisfies Call;
