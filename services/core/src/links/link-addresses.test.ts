import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { expect, it } from "vitest";
import { linkAddresses, withProduct, withTag } from "./link-addresses.ts";

const SITE = "https://t.example";
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

function columnsOf(url: string) {
  const page = parseStorePage(url);
  if (page === null) throw new Error(url);
  const { marketplace, tag, asin } = linkAddresses(SITE, url, page);
  return [marketplace, tag, asin];
}

it.each([
  [PAGE, ["de", null, "B0ZZ1Y2X3W"]],
  [`${PAGE}?tag=Me-21&tag=other-21`, ["de", "me-21", "B0ZZ1Y2X3W"]],
  [`${PAGE}?tag=&%74ag=b%2D21`, ["de", "b-21", "B0ZZ1Y2X3W"]],
  ["https://www.amazon.com/exec/obidos/ASIN/B0ZZ1Y2X3W/ref=nosim/old-20", ["com", "old-20", "B0ZZ1Y2X3W"]],
  ["https://amazon.co.uk/s?k=lamp&tag=me-21", ["co.uk", "me-21", null]],
  // Text that Postgres could not store or index.
  [`${PAGE}?tag=%00${"ä".repeat(100)}`, ["de", `%00${"%c3%a4".repeat(11)}`.slice(0, 65), "B0ZZ1Y2X3W"]],
])("SQL reads the facts about a destination from %s", (url, columns) => {
  expect(columnsOf(url)).toEqual(columns);
});

it("an address that has no room for another tag gets none", () => {
  const url = `${PAGE}?tag=a-21&x=`;
  const webUrl = url + "x".repeat(4_096 - url.length);
  expect(withTag(SITE, { originalUrl: webUrl, webUrl }, "b-21")).toMatchObject({ tag: "b-21" });
  expect(withTag(SITE, { originalUrl: webUrl, webUrl }, "longer-21")).toBeNull();
});

const NEXT = "https://www.amazon.de/dp/B0ZZ1Y2X3V";

it.each([
  [`https://www.amazon.de/Enamel-Mug/dp/B0ZZ1Y2X3W/ref=sr_1_2?th=1&tag=Me-21&x=%20`, `${NEXT}?th=1&tag=Me-21&x=%20`],
  [`https://m.amazon.de/gp/aw/d?asin=B0ZZ1Y2X3W`, "https://m.amazon.de/dp/B0ZZ1Y2X3V?asin=B0ZZ1Y2X3V"],
  [`${PAGE}?tag=a-21&tag=b-21`, `${NEXT}?tag=a-21&tag=b-21`],
  ["https://www.amazon.de/exec/obidos/ASIN/B0ZZ1Y2X3W/ref=nosim/old-21", `${NEXT}?tag=old-21`],
  [PAGE, NEXT],
])("another product takes over what follows its address in %s", (webUrl, expected) => {
  expect(withProduct(SITE, webUrl, "B0ZZ1Y2X3V")).toMatchObject({
    ...{ originalUrl: expected, webUrl: expected, asin: "B0ZZ1Y2X3V" },
    ...{ page: { canonicalUrl: NEXT }, marketplace: "de" },
  });
});

it("a page that is no product gets none", () => {
  expect(withProduct(SITE, "https://www.amazon.de/shop/ada", "B0ZZ1Y2X3V")).toBeNull();
});
