import { landingImage, productPage, renderPage } from "./pages.ts";
import { fault, type PageHandler, page, to } from "./product-pages.ts";

/** The box of a product that cannot be bought, within the elements that every page has. */
const OUT_OF_STOCK_BOX = `<div id="outOfStockBuyBox_feature_div"><div id="outOfStock" class="a-box">
    <span class="a-color-price a-text-bold">Currently unavailable.</span>
    We don't know when or if this item will be back in stock.</div></div>`;
const BUY_BOX = `<div id="outOfStockBuyBox_feature_div"></div>
    <input id="add-to-cart-button" type="button" value="Add to Cart">`;
const OTHER_SELLERS = `${OUT_OF_STOCK_BOX}<div id="buybox-see-all-buying-choices">See All Buying Options</div>`;

const lamp =
  (more: string, asin?: string): PageHandler =>
  ({ productId }) => ({
    status: 200,
    body: productPage({
      title: "Desk lamp",
      picture: landingImage("71Lamp"),
      more: `<input type="hidden" id="ASIN" name="ASIN" value="${asin ?? productId}">${more}`,
    }),
  });

/**
 * The pages that the check of a link may meet, by the start of the ASIN; three more characters make many products of each. The case
 * `BLIP` is a product that a store once reported as missing, by mistake.
 */
const CASES: Readonly<Record<string, PageHandler>> = {
  B0HGOOD: lamp(BUY_BOX),
  B0HSELL: lamp(OTHER_SELLERS),
  B0HNOST: lamp(OUT_OF_STOCK_BOX),
  B0HSWAP: lamp(BUY_BOX, "B0HGOOD000"),
  B0HGONE: page(renderPage("not-found"), 404),
  B0HMOVE: to("/dp/B0HGOOD000"),
  B0HAWAY: to("https://evil.example/dp/B0HGOOD000", 302),
  B0HCAPT: page(renderPage("captcha")),
  B0HBUSY: page(renderPage("error"), 503),
  B0HDENY: page("<h1>Too many requests</h1>", 429),
  B0HAUTH: to("/ap/signin?openid.return_to=x", 302),
  B0HCUTS: fault("closes early"),
  B0HBLIP: notFoundOnce(),
};

export function healthCase(asin: string): PageHandler | undefined {
  return CASES[asin.slice(0, 7)];
}

function notFoundOnce(): PageHandler {
  const seen = new Set<string>();
  return (product) => {
    if (seen.has(product.webUrl)) return lamp(BUY_BOX)(product);
    seen.add(product.webUrl);
    return { status: 404, body: renderPage("not-found") };
  };
}
