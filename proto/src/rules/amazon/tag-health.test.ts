import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { androidIntent, iosAppLink } from "../app-opening/app-link.ts";
import { storeAddress } from "../testing/arbitrary-urls.ts";
import { parseStorePage, type StorePage } from "./amazon-url.ts";
import { isMarketplace, MARKETPLACES, type Marketplace } from "./marketplaces.ts";
import { isOneLinkStore, ONELINK_STORES } from "./onelink.ts";
import { type TagHealth, tagHealth } from "./tag-health.ts";

function pageOf(url: string): StorePage {
  const page = parseStorePage(url);
  if (page === null) throw new Error(`Not a store page: ${url}`);
  return page;
}

const none: TagHealth = { kind: "none" };
const sound = (tag: string): TagHealth => ({ kind: "sound", tag });
const foreign = (tag: string, suffix: string): TagHealth => ({ kind: "foreign", tag, suffix });
const onelink = (tag: string, isServed = false): TagHealth => ({ kind: "onelink", tag, isServed });
const unusual = (tag: string): TagHealth => ({ kind: "unusual", tag });
const placeholder = (tag: string): [string, TagHealth] => [
  `com/dp/B0ZZ1Y2X3W?tag=${encodeURIComponent(tag)}`,
  { kind: "placeholder", tag },
];
const several = (...tags: string[]): TagHealth => ({ kind: "several", tags });

const DP = "/dp/B0ZZ1Y2X3W";
const OLD = "/exec/obidos/ASIN/080442957X";
const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

function expectedKind(key: Marketplace, suffix: string): TagHealth["kind"] {
  const { tagSuffix } = MARKETPLACES[key];
  if (tagSuffix === null || tagSuffix === suffix) return "sound";
  return suffix === "-20" && isOneLinkStore(key) ? "onelink" : "foreign";
}

describe("tagHealth", () => {
  it.each<[string, TagHealth]>([
    [`com${DP}?tag=&ascsubtag=me-20&ref_=tag%3Dme-20#tag=me-20`, none],
    [`com/s?k=lamp&tag=my_shop-1-20`, sound("my_shop-1-20")],
    [`jp${DP}?tag=me-22`, sound("me-22")],
    [`com${DP}?tag=%6De%2D20`, sound("me-20")],
    [`com${DP}?tag=&tag=me-20&tag=me-20`, sound("me-20")],
    [`com${OLD}/ref=nosim/mystore-20/102-1234567-1234567`, sound("mystore-20")],
    [`com/o/ASIN/080442957X/mystore-20/?tag=other-20`, several("other-20", "mystore-20")],
    [`de/exec/obidos/ASIN/B000FRV8Z4/anna-20?tag=berta-20`, several("berta-20", "anna-20")],
    [
      `co.uk/-/en/exec/obidos/tg/detail/-/080442957X/anna-21/102-1234567-1234567?th=1&t%61g=bob-21`,
      several("bob-21", "anna-21"),
    ],
    [`fr${OLD}/ref=nosim/anna-21?tag=bob-21&maas=m`, several("bob-21", "anna-21", "maas")],
    [`com${OLD}/mystore-20?tag=mystore-20`, sound("mystore-20")],
    [`com${OLD}/mystore-20?tag=`, sound("mystore-20")],
    [`com/dp/080442957X/anna-20?tag=other-20`, sound("other-20")],
    [`com/shop/anna/o/ASIN/080442957X/anna-20?tag=other-20`, sound("other-20")],
    [`co.uk${OLD}/mystore-20`, onelink("mystore-20")],
    [`com${OLD}/102-1234567-1234567`, none],
    [`com${OLD}/two/parts`, none],
    [`com${OLD}/my%20store`, none],
    [`com/dp/080442957X/mystore-20`, { kind: "misplaced", tag: "mystore-20" }],
    [`de${DP}&tag=anna-21`, { kind: "misplaced", tag: "anna-21" }],
    [`de${DP}&tag=bob-21?tag=anna-21`, sound("anna-21")],
    [`com${DP}?tag=anna.example-20`, sound("anna.example-20")],
    ...["your-affiliate-21", "YOURTAG-20", "xxxxx-20", "your-associate-id", "yourstoreid-20", "your_store-20"].map(
      placeholder,
    ),
    ...[
      "undefined-20",
      "undefined",
      "null-20",
      "NaN",
      "example-20",
      "PLACEHOLDER-20",
      "changeme-20",
      "change-me-21",
    ].map(placeholder),
    ...["anna-20-20", "anna-21-20", "{{tag}}", "$(tag)", "%tag%", "[YOUR-TAG]", "<your-tag>", "{tag}-20"].map(
      placeholder,
    ),
    ...["anna-example-20", "nullpunkt-20", "examples-20", "anna-20-shop-20", "20-20", "xmas-25-20"].map(
      (tag): [string, TagHealth] => [`com${DP}?tag=${tag}`, sound(tag)],
    ),
    [`com${DP}?tag=yourhome-20`, sound("yourhome-20")],
    [`com${DP}?tag=me-21`, foreign("me-21", "-20")],
    [`com.be${DP}?tag=me-20`, foreign("me-20", "-21")],
    [`de${DP}?tag=me-20`, onelink("me-20")],
    [`co.za${DP}?tag=me-21`, sound("me-21")],
    [`co.za${DP}?tag=me`, unusual("me")],
    [`com${DP}?tag=me-30`, unusual("me-30")],
    [`com${DP}?tag=-20`, unusual("-20")],
    [`com${DP}?tag=%22b%3E-20`, unusual('"b>-20')],
    [`com${DP}?tag=me-20%0A`, unusual("me-20\n")],
    [`com${DP}?tag=%E0%A4%A`, unusual("\ufffd%A")],
    [`com${DP}?tag=maas&maas=maas_adg_1&ref_=aa_maas`, { kind: "attribution", tag: "maas" }],
    [`com${DP}?tag=maas&tag=&tag=me-20&tag=maas`, several("me-20", "maas")],
    [`com${DP}?maas=maas_adg_1&ref_=aa_maas&aa_campaignid=c1`, { kind: "attribution", tag: "maas" }],
    [`com${DP}?aa_creativeid=v1`, { kind: "attribution", tag: "maas" }],
    [`de/stores/page/ABC?ref_=aa_maas`, { kind: "attribution", tag: "maas" }],
    [`com${DP}?maas=maas_adg_1&ref_=aa_maas&aa_campaignid=c1&tag=anna-20`, several("anna-20", "maas")],
    [`de/s?k=mug&tag=anna-21&aa_adgroupid=g1`, several("anna-21", "maas")],
    [`co.jp/-/en/stores/page/ABC?M%61AS=m&tag=anna-22`, several("anna-22", "maas")],
    [`com${OLD}/ref=nosim/anna-20?maas=m`, several("anna-20", "maas")],
    [`com${OLD}/anna-20?tag=maas`, several("anna-20", "maas")],
    [`com${DP}&tag=anna-20?maas=m`, { kind: "attribution", tag: "maas" }],
    [`de${DP}?tag=anna-21&ascsubtag=maas&ref_=as_li_ss_tl&linkCode=ll1&maas=`, sound("anna-21")],
    [`de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W&Quantity.1=1`, sound("anna-21")],
    [`com/-/es/gp/cart/aws-merge.html?cart-id=1%26associate-id=anna-20`, sound("anna-20")],
    [`fr/gp/aws/cart/add.html?associatetag=anna-21&tag=bob-21`, several("anna-21", "bob-21")],
    [`it/associates/addtocart?ASIN.1=B0ZZ1Y2X3W&assoc_tag=anna-21&aa_x=1`, several("anna-21", "maas")],
    [`de/gp/cart/view.html?AssociateTag=anna-21`, { kind: "misplaced", tag: "anna-21" }],
    [`de${DP}?AssociateTag=anna-21`, { kind: "misplaced", tag: "anna-21" }],
    [`de${DP}?affiliate_id=1234&ascsubtag=anna-21`, none],
  ])("tagHealth of %s", (address, health) => {
    expect(tagHealth(pageOf(`https://www.amazon.${address}`))).toEqual(health);
  });

  it("says of a US tag that OneLink serves it in exactly the stores that the owner named", () => {
    for (const key of ONELINK_STORES) {
      if (MARKETPLACES[key].tagSuffix === "-20") continue;
      const page = pageOf(`https://www.amazon.${key}${DP}?tag=me-20`);
      expect(tagHealth(page, [key])).toEqual(onelink("me-20", true));
      expect(tagHealth(page, ["com", "ca"])).toEqual(onelink("me-20"));
    }
    const belgian = pageOf(`https://www.amazon.com.be${DP}?tag=me-20`);
    expect(tagHealth(belgian, ["com.be"])).toEqual(foreign("me-20", "-21"));
  });
});

const RUNS = { numRuns: 2_000 };
const tag = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}-2[0-9]$/)
  .filter((text) => !/tag|your|xxx|affiliate|associate|-2\d-2\d$|^(?:null|none|nan|todo)/i.test(text));

describe("of any page of any store", () => {
  it("finds exactly the tags that the page has", () => {
    fc.assert(
      fc.property(storeAddress, ({ url }) => {
        const page = pageOf(url);
        const inQuery = new URL(page.webUrl).searchParams.getAll("tag").filter(Boolean);
        const health = tagHealth(page);
        if (health.kind === "none" || health.kind === "misplaced") {
          expect([inQuery, page.tag]).toEqual([[], null]);
        } else if (health.kind === "several") {
          expect(health.tags).toEqual(expect.arrayContaining(inQuery));
          expect(health.tags.length).toBeGreaterThan(1);
        } else {
          expect(new Set(inQuery.length > 0 ? inQuery : [page.tag])).toEqual(new Set([health.tag]));
        }
      }),
      RUNS,
    );
  });

  it("finds an added tag beside existing ones, also in its app links", () => {
    fc.assert(
      fc.property(storeAddress, tag, ({ url }, added) => {
        const { webUrl } = pageOf(url);
        const page = pageOf(`${webUrl}${webUrl.includes("?") ? "&" : "?"}tag=${added}`);
        const health = tagHealth(page);
        const found = health.kind === "several" ? health.tags : "tag" in health && [health.tag];
        expect(found).toContain(added);
        for (const link of [iosAppLink(page.webUrl), androidIntent(page.webUrl, page.marketplace)]) {
          expect(link).toContain(`tag=${added}`);
        }
      }),
      RUNS,
    );
  });

  it("classifies a single tag with a usual suffix by the store only", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STORES), tag, (key, lone) => {
        const { kind } = tagHealth(pageOf(`https://www.amazon.${key}${DP}?tag=${lone}`));
        expect(kind).toBe(expectedKind(key, lone.slice(-3)));
      }),
      RUNS,
    );
  });
});
