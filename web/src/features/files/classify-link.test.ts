import { expect, test } from "vitest";
import { classifyLink, countTags, groupOf, repairedUrl } from "./classify-link.ts";

const PAGE = "https://www.amazon.com/dp/B0ZZ1Y2X3W";

test.each([
  [`${PAGE}?maas=m&ref_=aa_maas&aa_campaignid=c1&tag=anna-20`, "several", ["anna-20", "maas"]],
  [`${PAGE}?tag=anna-20&tag=bob-20`, "several", ["anna-20", "bob-20"]],
  [`${PAGE}?tag=anna-20&tag=&tag=bob-20&tag=cora-20`, "several", ["anna-20", "bob-20", "cora-20"]],
  ["https://www.amazon.de/exec/obidos/ASIN/B000FRV8Z4/anna-20?tag=berta-20", "several", ["berta-20", "anna-20"]],
  ["https://www.amazon.com/o/ASIN/B000FRV8Z4/anna-20?maas=m", "several", ["anna-20", "maas"]],
  [`https://out.example/?u=${encodeURIComponent(`${PAGE}?tag=anna-20&tag=bob-20`)}`, "several", ["anna-20"]],
  ["https://www.amazon.com/o/ASIN/B000FRV8Z4/anna-20?tag=anna-20", "sound", ["anna-20"]],
  [`${PAGE}?maas=m&ref_=aa_maas`, "attribution", ["maas"]],
  [`${PAGE}?AssociateTag=anna-20`, "misplaced", ["anna-20"]],
  ["https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W", "sound", ["anna-21"]],
  [`${PAGE}?tag=anna-20&ascsubtag=maas&linkCode=ll1`, "sound", ["anna-20"]],
])("%s is %s", (address, reason, tags) => {
  const classification = classifyLink(address);
  expect(classification?.reason).toBe(reason);
  expect(classification?.tags).toEqual(tags);
});

const WIDGET = "https://ws-na.amazon-adsystem.com/widgets/q?MarketPlace=US&tracking_id=anna-20&asins=B0ZZ1Y2X3W";

test.each([
  ["https://www.amazon.com/exec/obidos/redirect?tag=anna-20&path=ASIN/B0ZZ1Y2X3W", "broken"],
  [WIDGET, "broken"],
  ["https://www.amazon.com/errors/validateCaptcha?amzn-r=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Danna-20", "broken"],
  [`${PAGE}%20?tag=anna-20`, "broken"],
  [`https://${PAGE}?tag=anna-20`, "broken"],
  [`${PAGE.replace("www", "wwww")}?tag=anna-20`, "broken"],
  ["https://read.amazon.com/kp/embed?asin=B0ZZ1Y2X3W&tag=anna-20", "sound"],
])("%s is %s, and its page is offered with its tag", (address, reason) => {
  const meant = `${PAGE}?tag=anna-20`;
  expect(classifyLink(address)).toEqual({ reason, meant, marketplace: "com", tags: ["anna-20"], isShop: true });
});

test.each([
  "/dp/ASIN?tag=anna-20",
  "/dp/B0ZZ1Y2X3?tag=anna-20",
  "/gp/product/?tag=anna-20",
  "/gp/aw/d/B0ZZ1Y2X3WW?tag=anna-20",
])("%s has no ASIN, and is broken with its tag", (path) => {
  const classification = classifyLink(`https://www.amazon.com${path}`);
  expect(classification).toMatchObject({ reason: "broken", meant: null, tags: ["anna-20"], isShop: true });
});

test("an old link to the start page, with a tag, pays nothing", () => {
  const classification = classified("https://www.amazon.com/exec/obidos/redirect-home/me-20");
  expect(groupOf(classification, OWN)).toBe("lost");
  expect(repairedUrl(classification, OWN)).toBe("https://www.amazon.com/?tag=me-20");
});

test.each([
  "https://ws-na.amazon-adsystem.com/widgets/q?ID=OneJS",
  "https://ir-na.amazon-adsystem.com/e/ir?t=anna-20&a=B0ZZ1Y2X3W",
])("%s leads to no page", (address) => expect(classifyLink(address)).toBeNull());

const OWN = new Set(["me-20", "me-21"]);
const US = "https://www.amazon.com";

test.each([
  ...[
    "",
    "/",
    "/?ref=nav_logo",
    "/ref=nav_logo",
    "/-/es/",
    "/cart",
    "/gp/cart/view.html?ref_=nav_cart",
    "/gp/help/customer/display.html?nodeId=1",
  ],
  ...[
    "/privacy",
    "/gp/css/order-history",
    "/your-orders/orders",
    "/gp/your-account/order-details?orderID=1",
    "/hz/wishlist/ls/1AB",
  ],
  ...[
    "/photos",
    "/clouddrive/share/abc",
    "/ap/signin?openid.return_to=x",
    "/gp/sign-in.html",
    "/ax/claim",
    "/hz/mycd/myx",
    "/prime",
  ],
  ...[
    "/review/R1ABC",
    "/gp/profile/amzn1.account.A",
    "/registry",
    "/shop/anna",
    "/gp/video/storefront",
    "/hz/contact-us",
    "/conditionsofuse",
  ],
])("%s is worth no tag", (path) => {
  for (const address of [
    US + path,
    `https://amazon.de${path}`,
    `https://out.example/?u=${encodeURIComponent(US + path)}`,
  ]) {
    const classification = classifyLink(address);
    expect(classification === null ? "idle" : groupOf(classification, OWN)).toBe("idle");
  }
});

test.each([
  ...[
    "/dp/B0ZZ1Y2X3W",
    "/Lamp/dp/B0ZZ1Y2X3W/ref=x",
    "/gp/product/B0ZZ1Y2X3W",
    "/gp/aw/d/B0ZZ1Y2X3W",
    "/dp/B0ZZ1",
    "/dp/9780306406158",
  ],
  ...[
    "/s?k=lamp",
    "/s/ref=nb_sb?field-keywords=lamp",
    "/gp/search?keywords=lamp",
    "/-/es/s?k=lamp",
    "/b?node=123",
    "/Lamps/b/?node=1",
    "/b/ref=x?node=1",
  ],
  ...[
    "/stores/page/0A-B",
    "/stores/Anna/author/B000AQ0842",
    "/Anna-King/e/B000AQ0842",
    "/gp/browse.html?node=1",
    "/gp/bestsellers/kitchen",
  ],
  ...[
    "/Best-Sellers-Kitchen/zgbs/kitchen",
    "/gp/new-releases",
    "/gp/goldbox",
    "/deals",
    "/deal/abc",
    "/events/primeday",
    "/gp/video/detail/B0ZZ1Y2X3W",
  ],
  ...["/gp/aws/cart/add.html?ASIN.1=B0ZZ1Y2X3W", "/-/en/dp/B0ZZ1Y2X3W", "/gp/movers-and-shakers", "/l/123456"],
])("%s pays nothing without a tag", (path) => {
  const classification = classifyLink(US + path);
  expect(classification && groupOf(classification, OWN)).toBe("lost");
});

const classified = (address: string) => {
  const classification = classifyLink(address);
  if (classification === null) throw new Error("It is no page of Amazon's.");
  return classification;
};

test.each(["me-20", "ME-20", "Me-20"])("the tag %s is the user's", (tag) => {
  const link = classified(`${PAGE}?tag=${tag}`);
  expect(groupOf(link, OWN)).toBe("pays");
  expect(repairedUrl(link, OWN)).toBe(`${PAGE}?tag=${tag}`);
});

test("tags are counted without case, once for each link", () => {
  const links = [`${PAGE}?tag=me-20`, `${PAGE}?tag=ME-20&th=1`, `${PAGE}?tag=me-20&tag=Me-20`, `${PAGE}?tag=b-20`];
  const places = [{ file: "a", line: 1, title: "" }];
  const found = links.map((address) => ({ address, ...classified(address), places }));
  expect([...countTags(found)]).toEqual([
    ["me-20", 3],
    ["b-20", 1],
  ]);
});

test.each([
  [`${PAGE}?tag=rival-20&tag=me-20`, `${PAGE}?tag=me-20`],
  [`${PAGE}?tag=rival-20&th=1&tag=ME-20`, `${PAGE}?tag=ME-20&th=1`],
  [
    "https://www.amazon.de/exec/obidos/ASIN/B000FRV8Z4/rival-21?tag=me-21",
    "https://www.amazon.de/dp/B000FRV8Z4?tag=me-21",
  ],
  [`${US}/dp/9780306406157?tag=rival-20`, `${US}/dp/0306406152?tag=me-20`],
  [`${PAGE}?tag=yourtag-20`, `${PAGE}?tag=me-20`],
  [`${PAGE}?maas=m`, null],
  ["https://www.amazon.co.jp/dp/B0ZZ1Y2X3W?tag=rival-22", null],
])("the repair of %s never has another user's tag", (address, offered) => {
  expect(repairedUrl(classified(address), OWN)).toBe(offered);
});
