import * as z from "zod/mini";
import { PRODUCT_ID_PATTERN } from "../rules/amazon/product-id.ts";
import type { Call } from "./call.ts";
import { marketplace } from "./fields.ts";

/** The metadata of a page; null where unknown. The default marketplace is com. */
export const metadata = {
  method: "GET",
  path: "/api/metadata",
  access: "anyone",
  limit: "metadata",
  query: z.object({
    product_id: z.string().check(z.regex(PRODUCT_ID_PATTERN)),
    marketplace: z._default(marketplace, "com"),
  }),
  replies: {
    200: z.object({
      title: z.nullable(z.string()),
      description: z.nullable(z.string()),
      imageUrl: z.nullable(z.string()),
      siteName: z.nullable(z.string()),
    }),
  },
} as const satisfies Call;
