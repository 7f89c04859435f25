import * as z from "zod/mini";
import { LINKS_TAKE_DOWN_MAX_COUNT } from "../../rules/limits.ts";
import type { Call } from "../call.ts";
import { numberText, shortCode } from "../fields.ts";
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
  /** Equal for links that were created from the same network address. Null after 30 days. */
  addressHash: z.nullable(z.string()),
});
export type OperatorLink = z.infer<typeof OperatorLink>;

/** Links of all users, the newest first. `q`: the start of a code, a part of the destination, a tag, a username or an email address. */
export const listAllLinks = {
  method: "GET",
  path: "/api/operator/links",
  access: "operator",
  query: z.object({
    q: z.optional(search),
    ownerId: z.optional(userId),
    addressHash: z.optional(addressHash),
    /** Links before this id. */
    before: z.optional(numberText(/^\d{1,15}$/)),
  }),
  replies: {
    200: z.object({ links: z.array(OperatorLink), nextBefore: z.nullable(z.int()) }),
  },
} as const satisfies Call;

/**
 * Takes links down, or lets them work again: some links, all of a user, or all that were created from a network address. Some
 * links are changed at once: 200. All of a user or address are changed by the worker: 202, with their number now.
 */
export const takeDownLinks = {
  method: "POST",
  path: "/api/operator/links/take-down",
  access: "operator",
  body: z.strictObject({
    links: z.union([
      z.strictObject({
        shortCodes: z
          .array(shortCode)
          .check(z.minLength(1), z.maxLength(LINKS_TAKE_DOWN_MAX_COUNT)),
      }),
      z.strictObject({ ownerId: z.int().check(z.gte(1), z.lte(2_147_483_647)) }),
      z.strictObject({ addressHash }),
    ]),
    isTakenDown: z.boolean(),
  }),
  replies: {
    /** Codes of the links that changed; not those that already were so. */
    200: z.object({ count: z.int(), shortCodes: z.array(z.string()) }),
    /** Null: more than 10,000, or they could not be counted in time. */
    202: z.object({ count: z.nullable(z.int()) }),
  },
} as const satisfies Call;
