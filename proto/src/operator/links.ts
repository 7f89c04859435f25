import * as z from "zod/mini";
import { resource } from "../call.ts";
import { numberText, rowId, shortCode } from "../fields.ts";
import { notFound } from "../general-errors.ts";
import { LINKS_TAKE_DOWN_MAX_COUNT } from "../rules/limits.ts";
import { addressHash, search, UserName, userId } from "./fields.ts";

export const OperatorLink = z.object({
  id: z.int(),
  shortCode: z.string(),
  shortUrl: z.string(),
  webUrl: z.string(),
  title: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  owner: z.nullable(UserName),
  takenDownAt: z.nullable(z.iso.datetime()),
  isOwnerBlocked: z.boolean(),
  /** Equal for links that were created from the same network address. Null after 30 days. */
  addressHash: z.nullable(z.string()),
});
export type OperatorLink = z.infer<typeof OperatorLink>;

const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const listAllLinks = operator.get("/api/operator/links", {
  summary: "Search the links of all users",
  description:
    "`q` is the start of a short code, a part of the destination, a tag, a username or an email address. `nextBefore` is `before` of the next page.",
  query: z.object({
    q: z.optional(search),
    ownerId: z.optional(userId),
    addressHash: z.optional(addressHash),
    before: z.optional(numberText(/^\d{1,15}$/)),
  }),
  replies: {
    200: z.object({ links: z.array(OperatorLink), nextBefore: z.nullable(z.int()) }),
  },
  errors: [notFound],
  example: { query: { q: "anna-21" } },
});

export const takeDownLinks = operator.post("/api/operator/links/take-down", {
  summary: "Take links down, or let them work again",
  description:
    "Some links are changed at once: 200, with the codes of those that changed. All links of a user, or from a network address, are changed by the worker within seconds: 202, with their number (null: more than 10,000, or it could not be found in time).",
  body: z.strictObject({
    links: z.union([
      z.strictObject({
        shortCodes: z.array(shortCode).check(z.minLength(1), z.maxLength(LINKS_TAKE_DOWN_MAX_COUNT)),
      }),
      z.strictObject({ ownerId: rowId }),
      z.strictObject({ addressHash }),
    ]),
    isTakenDown: z.boolean(),
  }),
  replies: {
    /** Codes of the links that changed; not those that already were so. */
    200: z.object({ count: z.int(), shortCodes: z.array(z.string()) }),
    /** Null if there are more than 10,000, or they could not be counted in time. */
    202: z.object({ count: z.nullable(z.int()) }),
  },
  errors: [notFound],
  records: "link.changed",
});
