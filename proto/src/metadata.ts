import * as z from "zod/mini";
import { resource } from "./call.ts";
import { marketplace } from "./fields.ts";
import { PRODUCT_ID_PATTERN } from "./rules/amazon/product-id.ts";

const pages = resource("Pages", { reads: "anyone", writes: "anyone" });

export const metadata = pages.get("/api/metadata", {
  summary: "Get the metadata of a page",
  description:
    "Title, description, image and store name of a product or store page that a link leads to; null where unknown. May wait up to two seconds for a page that was not read yet.",
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
});
