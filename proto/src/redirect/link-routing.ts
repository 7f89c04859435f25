import * as z from "zod/mini";
import { marketplace } from "../fields.ts";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";

export const LinkRouting = z.object({
  stores: z.array(
    z.object({
      marketplace,
      tag: z.string().check(z.regex(TAG_PATTERN)),
      isSold: z.boolean(),
    }),
  ),
  oneLink: z.array(marketplace),
  /** The words to search for in stores that are not known to sell the product; null if visitors open the original. */
  searchTitle: z.nullable(z.string()),
});
export type LinkRouting = z.infer<typeof LinkRouting>;
