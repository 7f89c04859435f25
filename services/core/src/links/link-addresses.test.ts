import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { expect, it } from "vitest";
import { linkAddresses, withTag } from "./link-addresses.ts";

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
])("what SQL asks about a destination is read from %s", (url, columns) => {
  expect(columnsOf(url)).toEqual(columns);
});

it("an address that has no room for another tag gets none", () => {
  const url = `${PAGE}?tag=a-21&x=`;
  const webUrl = url + "x".repeat(4_096 - url.length);
  expect(withTag(SITE, { originalUrl: webUrl, webUrl }, "b-21")).toMatchObject({ tag: "b-21" });
  expect(withTag(SITE, { originalUrl: webUrl, webUrl }, "longer-21")).toBeNull();
});
