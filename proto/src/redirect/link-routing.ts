import * as z from "zod/mini";
import { marketplace } from "../fields.ts";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";

/** How visitors of a link are sent to their own store: what its record and its owner's say together. */
export const LinkRouting = z.object({
  stores: z.array(
    z.object({
      marketplace,
      /** The owner's tag in this store. */
      tag: z.string().check(z.regex(TAG_PATTERN)),
      /** Whether the store is known to sell the product. */
      isSold: z.boolean(),
    }),
  ),
  /** The stores to which Amazon OneLink sends visitors itself. */
  oneLink: z.array(marketplace),
  /** What visitors search for in stores that are not known to sell the product; null: they open the original. */
  searchTitle: z.nullable(z.string()),
});
export type LinkRouting = z.infer<typeof LinkRouting>;
