import type { CheerioAPI } from "cheerio";

/**
 * The box that product pages of all stores show in place of the price: "Currently unavailable. We don't know when or if
 * this item will be back in stock." Elements of the same name around it are on every page.
 */
const OUT_OF_STOCK = "#outOfStock";
/** Ways to buy the product, or another seller's: the box may be of one seller or variation only. */
const WAYS_TO_BUY =
  "#add-to-cart-button, #buy-now-button, #one-click-button, #buybox-see-all-buying-choices, #rcx-subscribe-submit-button-announce, #preorder-button";

/** By elements, because the texts are in many languages. False if the page does not say so for certain. */
export function isOutOfStock($: CheerioAPI): boolean {
  return $(OUT_OF_STOCK).text().trim() !== "" && $(WAYS_TO_BUY).length === 0;
}
