import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { parseAsin } from "@tapthru/proto/rules/amazon/product-id";
import type { CheerioAPI } from "cheerio";

/**
 * The product that a page says it shows; null if it does not say. The field of the cart names the chosen variation, the
 * canonical address may name another one.
 */
export function findAsin($: CheerioAPI): string | null {
  const inCart = parseAsin($("input#ASIN").attr("value") ?? "");
  if (inCart !== null) return inCart;
  const page = parseStorePage($('link[rel="canonical"]').attr("href") ?? "");
  return page?.kind === "product" ? page.asin : null;
}
