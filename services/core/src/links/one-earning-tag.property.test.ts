import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type ChannelTags, newLinkAddresses } from "./channel-tags.ts";
import { withEmptyTag, withProduct, withTag } from "./link-addresses.ts";

const SITE = "https://t.example";
const CHANNELS: ChannelTags = { defaultId: 1, has: () => true, tagOf: () => "main-21" };

/** Each tag that earns, by its programme. Read apart from the code under test. */
function earningTags(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  const isCart = /\/(?:cart|associates)\//.test(pathname);
  const tags = [...searchParams].flatMap(([name, value]) => {
    if (value === "") return [];
    if (/^(?:maas|aa_.*)$/i.test(name) || (name === "ref_" && value === "aa_maas")) return "maas";
    return name === "tag" || (isCart && /^(?:tag|associatetag|associate-id|assoc_tag)$/i.test(name)) ? value : [];
  });
  const inPath = /\/(?:exec\/obidos|o)\/.*\/([\w.-]+-2\d)$/.exec(pathname)?.[1];
  return [...new Set(inPath ? [...tags, inPath] : tags)];
}

const PATHS = [
  "/dp/B0ZZ1Y2X3W",
  "/-/en/Mug/dp/B0ZZ1Y2X3W/ref=sr_1_1",
  "/exec/obidos/ASIN/B0ZZ1Y2X3W",
  "/exec/obidos/ASIN/B0ZZ1Y2X3W/old-21",
  "/stores/page/ABC",
  "/s",
  "/gp/aws/cart/add.html",
  "/-/en/gp/cart/aws-merge.html",
  "/associates/addtocart",
];
const PARTS = [
  ...["tag=anna-21", "t%61g=anna-21", "tag=", "tag", "tag=bob-21", "tag=maas", "tag=anna–21", "TAG=anna-21"],
  ...["AssociateTag=anna-21", "associate-id=anna-21", "assoc_tag=", "ascsubtag=anna-21", "linkCode=ll1"],
  ...["maas=maas_adg_1", "MAAS=m", "maas=", "aa_campaignid=c1", "ref_=aa_maas", "ref_=as_li_ss_tl"],
  ...["k=mug", "ASIN.1=B0ZZ1Y2X3W", "th=1", "th=1%26tag%3Danna-21", "th=1;tag=anna-21"],
];
const address = fc
  .record({
    store: fc.constantFrom("de", "co.uk", "fr"),
    path: fc.constantFrom(...PATHS),
    parts: fc.array(fc.tuple(fc.constantFrom("&", "&", "&amp;"), fc.constantFrom(...PARTS)), { maxLength: 5 }),
    start: fc.constantFrom("?", "?", "&", "#"),
  })
  .map(({ store, path, parts, start }) => {
    const query = parts.map(([separator, part], at) => (at === 0 ? start : separator) + part).join("");
    return `https://www.amazon.${store}${path}${query}`;
  });

/** The owner's tag is replaced only where they ask for that of a channel. */
const OPERATIONS: Record<string, { replaces: boolean; change: (url: string) => string | null | undefined }> = {
  creation: {
    replaces: false,
    change(originalUrl) {
      const page = parseStorePage(originalUrl);
      const link = page && newLinkAddresses(SITE, { originalUrl, page }, { usesChannelTag: true }, CHANNELS);
      return link?.followsChannel ? withTag(SITE, link, "main-21")?.webUrl : link?.webUrl;
    },
  },
  channel: { replaces: true, change: (url) => withTag(SITE, { originalUrl: url, webUrl: url }, "blog-21")?.webUrl },
  repair: { replaces: false, change: (url) => repairAmazonUrl(url)?.url },
  "add my tag": { replaces: false, change: (url) => addTag(url, "mine-21") },
  product: { replaces: false, change: (url) => withProduct(SITE, url, "B0ZZ1Y2X3V")?.webUrl },
};

it("no chain of changes adds a second tag that earns, or loses the owner's", () => {
  let changes = 0;
  fc.assert(
    fc.property(address, fc.array(fc.constantFrom(...Object.keys(OPERATIONS)), { maxLength: 5 }), (first, names) => {
      let url = parseStorePage(first)?.webUrl ?? first;
      if (names[0] === "repair") url = first;
      for (const name of names) {
        const { replaces, change } = OPERATIONS[name] ?? { replaces: false, change: () => null };
        const next = change(url);
        if (!next) continue;
        const [before, after] = [earningTags(url), earningTags(next)];
        const said = `${name}: ${url} became ${next}`;
        expect(after.length, said).toBeLessThanOrEqual(Math.max(1, before.length));
        const kept = before.find((tag) => tag !== "maas") ?? before[0];
        const isKept = kept === undefined || kept === "anna–21" || after.includes(kept);
        if (!replaces || kept === "maas") expect(isKept, said).toBe(true);
        url = next;
        changes += 1;
      }
      const page = parseStorePage(url);
      if (page !== null && earningTags(url).length > 1) expect(tagHealth(page).kind, url).toBe("several");
    }),
    { numRuns: 5_000 },
  );
  expect(changes).toBeGreaterThan(1_000);
});

it("a link that follows its channel is stored with an empty tag, in whose place each tag is set as in the address itself", () => {
  const found = fc.sample(address, 5_000).flatMap((url) => {
    const link = { originalUrl: url, webUrl: parseStorePage(url)?.webUrl ?? url };
    const stored = withEmptyTag(SITE, link);
    return stored === null ? [] : { link, stored };
  });
  expect(found.length).toBeGreaterThan(1_000);
  for (const { link, stored } of found) {
    expect([stored.tag, earningTags(stored.webUrl)]).toEqual([null, []]);
    for (const tag of ["a", "Mine_2.x-21", "z".repeat(64)])
      expect(setTag(stored.webUrl, tag)).toBe(withTag(SITE, link, tag)?.webUrl);
  }
});

const PRODUCT = "https://www.amazon.com/dp/B0ZZ1Y2X3W";
const CART = "https://www.amazon.de/gp/aws/cart/add.html";

it.each([
  `${PRODUCT}?maas=maas_adg_api_123_macro_1_2&ref_=aa_maas&aa_campaignid=c1`,
  `${PRODUCT}?aa_creativeid=v1`,
  "https://www.amazon.de/stores/page/ABC?ref_=aa_maas",
  "https://www.amazon.co.uk/s?k=mug&MAAS=m",
  `${PRODUCT}&maas=m`,
  `${CART}?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W&Quantity.1=1`,
  "https://www.amazon.de/-/en/gp/cart/aws-merge.html?cart-id=1%26associate-id=anna-21",
  `${PRODUCT}?AssociateTag=anna-20`,
])("a new link to %s has the address that was pasted", (originalUrl) => {
  const page = parseStorePage(originalUrl);
  if (page === null) throw new Error(originalUrl);
  const link = newLinkAddresses(SITE, { originalUrl, page }, { usesChannelTag: true }, CHANNELS);
  expect(link).toMatchObject({ originalUrl, webUrl: page.webUrl, followsChannel: false });
});

it.each([`${PRODUCT}?ascsubtag=a-20&linkCode=ll1&ref_=as_li_ss_tl`, `${CART}?ASIN.1=B0ZZ1Y2X3W`, `${PRODUCT}?maas=`])(
  "a new link to %s gets the tag of its channel",
  (originalUrl) => {
    const page = parseStorePage(originalUrl);
    if (page === null) throw new Error(originalUrl);
    const link = newLinkAddresses(SITE, { originalUrl, page }, { usesChannelTag: true }, CHANNELS);
    expect(link).toMatchObject({ webUrl: `${originalUrl}&tag=`, followsChannel: true });
  },
);
