import * as z from "zod/mini";
import { EXAMPLE_BASE_URL } from "./example-values.ts";
import { inputs, marketplace } from "./fields.ts";
import { EXAMPLE_LINK, links } from "./links.ts";
import { ASIN } from "./rules/amazon/product-id.ts";
import { COUNTED_LINKS_MAX, PREVIEWED_LINKS_COUNT } from "./rules/limits.ts";

const asin = z
  .string()
  .check(z.regex(ASIN))
  .register(inputs, { also: { description: "In upper case." } });
const products = { marketplace, from: asin, to: asin };

const EXAMPLE = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" } as const;
const { id, shortUrl, webUrl } = EXAMPLE_LINK;

export const previewProductChange = links.get("/api/product-links", {
  summary: "Preview another product for its links",
  description: `What \`PUT /api/links/bulk/product\` would change: how many links, up to ${COUNTED_LINKS_MAX}, and the first ${PREVIEWED_LINKS_COUNT} with both addresses.`,
  query: z.object(products),
  replies: {
    200: z.object({
      count: z.int(),
      links: z.array(z.object({ id: z.int(), shortUrl: z.string(), webUrl: z.string(), newUrl: z.string() })),
    }),
  },
  example: {
    query: EXAMPLE,
    replies: {
      200: { count: 41, links: [{ id, shortUrl, webUrl, newUrl: webUrl.replace(EXAMPLE.from, EXAMPLE.to) }] },
    },
  },
});

export const changeProduct = links.put("/api/links/bulk/product", {
  summary: "Give all links of a product another one",
  description: `All links of the user to the product \`from\` of a store open \`to\` instead, within seconds. Tags and other parameters stay. \`undoOf\`, the \`changedAt\` of an earlier change from \`from\` to \`to\`, gives the links that it changed, and that still have \`to\`, their addresses back, with the tags of now. Links that were taken down, and fallbacks, stay. ${EXAMPLE_BASE_URL}/l/… follows within seconds.`,
  body: z.strictObject({ ...products, undoOf: z.optional(z.iso.datetime().check(z.maxLength(30))) }),
  replies: { 202: z.object({ changedAt: z.iso.datetime() }) },
  records: "links.changed",
  example: { body: EXAMPLE, replies: { 202: { changedAt: "2026-11-29T10:05:00.000Z" } } },
});
