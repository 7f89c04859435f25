import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText, storeAddress } from "../testing/arbitrary-urls.ts";
import { parseAmazonUrl, parseNewDestination } from "./amazon-url.ts";
import type { Defect } from "./defects.ts";
import { readableAddress } from "./readable-address.ts";
import { repairAmazonUrl } from "./repair-url.ts";

const ITEM = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const SHORT = "https://amzn.to/3TapTru";
const TAGGED = `${ITEM}?th=1&tag=anna-21`;
const INSIDE = encodeURIComponent(TAGGED);

function repairs(defects: readonly Defect[], cases: readonly (readonly [string, string])[]) {
  it.each(cases)("%j becomes %j", (text, url) => {
    expect(repairAmazonUrl(text)).toEqual({ url, defects });
  });
}

describe("entities of HTML in an address", () => {
  repairs(
    ["entities"],
    [
      [`${ITEM}?th=1&amp;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&AMP;amp;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#0038;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#X26;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp;#x26;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp%3Btag=anna-21`, TAGGED],
      [`${ITEM.replaceAll("/", "&#x2F;")}&#63;th&#61;1&amp;tag&#x3D;anna-21`, TAGGED],
      [`${ITEM}?a=1&amp;tag=anna-21&#038;c=3&d=4#reviews`, `${ITEM}?a=1&tag=anna-21&c=3&d=4#reviews`],
      ["https&#58;&#47;&#47;amzn.to&#x2f;3TapTru", SHORT],
    ],
  );

  it.each(["&copy;=1", "&th=1", "&amp", "&#169;=1", "&;"])("%s is left as it is", (part) => {
    expect(repairAmazonUrl(`${ITEM}?tag=anna-21${part}`)).toBeNull();
  });
});

describe("a tag under another name", () => {
  const NAMES = ["AssociateTag", "ASSOCIATE-TAG", "associate_id", "AssociatesTag", "affiliateId", "assoc_tag", "TAG"];
  repairs(
    ["tag-name"],
    NAMES.map((name) => [`${ITEM}?th=1&${name}=anna-21`, TAGGED]),
  );

  it("takes the place of an empty tag", () => {
    const repair = repairAmazonUrl(`${ITEM}?th=1&tag=&AssociateTag=anna-21`);
    expect(repair).toEqual({ url: TAGGED, defects: ["tag-name", "empty-tag"] });
  });

  it.each([
    `${TAGGED}&AssociateTag=bob-21`,
    `${ITEM}?AssociateTag=`,
    `${ITEM}?AssociateTag=not%20a%20tag`,
    "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W",
    `${ITEM}?associate=a-21`,
  ])("%s is left as it is", (url) => {
    expect(repairAmazonUrl(url)).toBeNull();
  });
});

describe("a second or an empty tag", () => {
  const rest = "linkCode=df0&psc=1";
  repairs(
    ["empty-tag"],
    [
      [`${ITEM}?tag=&${rest}&tag=anna-21`, `${ITEM}?tag=anna-21&${rest}`],
      [`${ITEM}?tag=anna-21&${rest}&tag&%74ag=`, `${ITEM}?tag=anna-21&${rest}`],
      [`${ITEM}?tag`, ITEM],
      [`${ITEM}?th=1&tag=`, `${ITEM}?th=1`],
      [`${ITEM}?tag=#top`, `${ITEM}#top`],
    ],
  );
  repairs(
    ["several-tags"],
    [
      [`${ITEM}?tag=&tag=anna-21&${rest}&tag=bob-21&th=1`, `${ITEM}?tag=anna-21&${rest}&th=1`],
      [`${ITEM}?tag=anna-21&tag=anna-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?th=1&tag=anna%2D21&%74ag=maas#top`, `${TAGGED}#top`],
      [`${ITEM}?th=1&tag=maas&tag=anna-21`, TAGGED],
      [`${ITEM}?tag=maas&maas=m&tag=anna-21&tag=bob-21`, `${ITEM}?tag=anna-21&maas=m`],
    ],
  );

  it.each([
    `${ITEM}?maas=m&tag=anna-21`,
    `${ITEM}?tag=maas&tag=`,
    `${ITEM}?maas=m&AssociateTag=anna-21`,
    `${ITEM}&tag=anna-21?maas=m`,
    `${ITEM}?aa_campaignid=1&amp;tag=anna-21`,
    `${ITEM}?ref_=aa_maas&tag=anna-21`,
  ])("%s gets no second tag that earns", (url) => {
    expect(repairAmazonUrl(url)).toBeNull();
  });
});

describe("another sign for the hyphen of a tag", () => {
  repairs(
    ["hyphen"],
    [
      [`${ITEM}?th=1&tag=anna–21`, TAGGED],
      [`${ITEM}?th=1&tag=anna%E2%80%9121`, TAGGED],
      [`${ITEM}?th=1&tag=anna%25E2%2580%259321`, TAGGED],
      [`${ITEM}?th=1&tag=anna\u00ad21`, TAGGED],
      [`${ITEM}?th=1&tag=anna-\u00ad21`, TAGGED],
      [`${ITEM}?tag=my—own−21&th=1#top`, `${ITEM}?tag=my-own-21&th=1#top`],
      [`${ITEM}?%74ag=anna－21`, `${ITEM}?%74ag=anna-21`],
      [
        "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna‐21&ASIN.1=B0ZZ1Y2X3W",
        "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W",
      ],
    ],
  );
  repairs(
    ["entities"],
    [
      [`${ITEM}?th=1&tag=anna&ndash;21`, TAGGED],
      [`${ITEM}?th=1&tag=anna&#8211;21`, TAGGED],
    ],
  );
  repairs(
    ["hyphen"],
    [
      ...["%96", "%97", "%AD", "%ad", "%2596", "%20%96%20", "+%96+", "%20%E2%80%93%20", "+–+", "%20-%20", "+-+"],
      ...["%E2%80%90", "%E2%88%92", "%EF%BC%8D", "%A0%96%A0", "%C2%A0%E2%80%94%C2%A0", "ー"],
    ].map((sign): [string, string] => [`${ITEM}?th=1&tag=anna${sign}21`, TAGGED]),
  );
  repairs(
    ["blanks", "hyphen"],
    [...[" – ", " –", "– ", "\u00a0–\u00a0", " — ", " − ", " ‐ ", " %E2%80%93 ", " %96 ", "\n– "]].map(
      (sign): [string, string] => [`${ITEM}?th=1&tag=anna${sign}21`, TAGGED],
    ),
  );
  repairs(
    ["blanks"],
    [" - ", " -", "- "].map((sign): [string, string] => [`${ITEM}?th=1&tag=anna${sign}21`, TAGGED]),
  );
  repairs(["blanks", "hyphen"], [[`${ITEM}?tag=my – own – 21`, `${ITEM}?tag=my-own-21`]]);
  repairs(["blanks", "entities"], [[`${ITEM}?th=1&tag=anna &ndash; 21`, TAGGED]]);
  repairs(["entities"], [[`${ITEM}?th=1&tag=anna&#150;21`, TAGGED]]);
  repairs(
    ["text-around", "hyphen"],
    [
      [`Schau: ${ITEM}?th=1&tag=anna – 21 so gut`, TAGGED],
      [`${ITEM}?th=1&tag=anna %96 21, so gut`, TAGGED],
    ],
  );
  repairs(
    ["text-around"],
    [
      [`${ITEM}?th=1&tag=anna-21 – 20 Euro`, TAGGED],
      [`${ITEM}?th=1&tag=anna-21 - so gut`, TAGGED],
      [`${ITEM}?tag=anna – 30 Euro`, `${ITEM}?tag=anna`],
    ],
  );

  repairs(["misplaced", "hyphen"], [[`${ITEM}&tag=anna–21`, `${ITEM}?tag=anna-21`]]);

  it.each([
    `${ITEM.replace("/dp", "/Mug–blue/dp")}?ascsubtag=a–b&keywords=a–b&tag=anna-21`,
    "https://www.amazon.de/s?k=a–b",
    `${ITEM}?tag=–21`,
    `${ITEM}?tag=anna%2D21`,
  ])("%s is left as it is", (url) => {
    expect(repairAmazonUrl(url)).toBeNull();
  });
});

describe("an address inside that of another site", () => {
  const short = encodeURIComponent(SHORT);
  repairs(
    ["wrapper"],
    [
      [`https://www.youtube.com/redirect?event=video_description&redir_token=QUF&q=${short}`, SHORT],
      [`youtube.com/redirect?q=amzn.to%2F3TapTru`, SHORT],
      [`https://lm.facebook.com/l.php?h=AT0&u=${short}%3Ffbclid%3DIwAR`, `${SHORT}?fbclid=IwAR`],
      [`https://l.instagram.com/?u=${INSIDE}&e=AT0`, TAGGED],
      [`https://l.threads.net/?u=${INSIDE}`, TAGGED],
      [`https://www.facebook.com/flx/warn/?u=${INSIDE}`, TAGGED],
      [`https://news.google.com/news/url?sa=t&url=${INSIDE}`, TAGGED],
      [`https://meet.google.com/linkredirect?authuser=0&dest=${INSIDE}`, TAGGED],
      [`https://www.google.co.uk/url?q=lamp&url=${INSIDE}`, TAGGED],
      [`https://google.com.br/url?q=${short}%E2%80%8B&sa=D`, SHORT],
      [`https://www.google.com/url?sa=t&url=${ITEM}?th=1&tag=anna-21`, TAGGED],
      [`https://www.google.com/url?q=${SHORT}&sa=D&ust=17`, SHORT],
      [`https://nam12.safelinks.protection.outlook.com/ap/t-59584e83/?url=${short}`, SHORT],
      [`https://buy.geni.us/Proxy.ashx?TSID=10&GR_URL=${INSIDE}`, TAGGED],
      [`https://t.umblr.com/redirect?z=${INSIDE}&t=abc`, TAGGED],
      [`https://out.reddit.com/t3_1abc?url=${short}&token=AQ`, SHORT],
      [`https://l.instagram.com/?u=${encodeURIComponent(`https://www.youtube.com/redirect?q=${short}`)}`, SHORT],
      [`https://go.bsky.app/redirect?u=${INSIDE}`, TAGGED],
      [`https://go.bsky.app/redirect?u=${TAGGED}`, TAGGED],
      [`https://www.tiktok.com/link/v2?aid=1988&scene=bio_url&target=${INSIDE.replace("https%3A%2F%2F", "")}`, TAGGED],
      [`https://www.linkedin.com/safety/go?url=${INSIDE}&trk=x`, TAGGED],
      [`https://www.pinterest.com/offsite/?token=1&url=${INSIDE}`, TAGGED],
      [`https://slack-redir.net/link?url=${INSIDE}`, TAGGED],
      [`https://steamcommunity.com/linkfilter/?u=${INSIDE}`, TAGGED],
      [`https://vk.com/away.php?to=${INSIDE}&cc_key=`, TAGGED],
      [`https://duckduckgo.com/l/?uddg=${INSIDE}&rut=1`, TAGGED],
      [`https://go.skimresources.com/?id=1X2&url=${INSIDE}`, TAGGED],
      [`https://href.li/?${TAGGED}`, TAGGED],
      [`https://web.archive.org/web/2026/${TAGGED}`, TAGGED],
      [`https://x.example/r?u=${encodeURIComponent(INSIDE)}`, TAGGED],
      [`https://urldefense.com/v3/__${TAGGED}__;!!AbC!x$`, TAGGED],
      [
        `https://urldefense.proofpoint.com/v2/url?u=https-3A__www.amazon.de_dp_B0ZZ1Y2X3W-3Fth-3D1-26tag-3Danna-2D21&d=DwM`,
        TAGGED,
      ],
      [`https://www.amazon.de/gp/r.html?C=1&M=urn&U=${INSIDE}&H=X`, TAGGED],
      [`https://www.amazon.de/gp/redirect.html?location=${INSIDE}`, TAGGED],
      [`https://www.amazon.de/gp/redirect.html?location=${encodeURIComponent(`${ITEM}?th=1`)}&tag=anna-21`, TAGGED],
      [`com.amazon.mobile.shopping.web://${TAGGED.slice(8)}`, TAGGED],
      [`intent://${TAGGED.slice(8)}#Intent;scheme=https;package=com.amazon.mShop.android.shopping;end`, TAGGED],
      [`Look at this: <https://l.instagram.com/?u=${short}> 🔥`, SHORT],
    ],
  );

  it("repairs an address inside that of another site", () => {
    const twice = encodeURIComponent(`${ITEM}?th=1&amp;tag=anna-21&tag=`);
    expect(repairAmazonUrl(`https://l.facebook.com/l.php?h=1&amp;u=${twice}`)).toEqual({
      url: TAGGED,
      defects: ["entities", "wrapper", "empty-tag"],
    });
  });

  it.each([
    `https://l.facebook.com/l.php?u=${encodeURIComponent("https://shop.example/dp/B0ZZ1Y2X3W")}`,
    "https://www.google.com/search?q=amazon.de",
    "https://l.facebook.com/l.php?u=%E4%A",
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`${ITEM}?k=a b&tag=anna-21`)}`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent("https://www.amazon.de/ap/signin")}`,
  ])("%s is refused", (text) => {
    expect(repairAmazonUrl(text)).toBeNull();
  });
});

describe("a page of a price tracker", () => {
  const CANADIAN = "https://www.amazon.ca/dp/B0ZZ1Y2X3W";
  const camel = (subdomain: string) => `https://${subdomain}camelcamelcamel.com/product/B0ZZ1Y2X3W`;
  repairs(
    ["wrapper"],
    [
      [
        "https://oel.camelcamelcamel.com/CL0/https:%2F%2Fca.camelcamelcamel.com%2Fproduct%2FB0ZZ1Y2X3W%2Fgo%3Fx=1/1/abc",
        CANADIAN,
      ],
      ["https://keepa.com/#!product/3-B0ZZ1Y2X3W", ITEM],
      ["https://dyn.keepa.com/r/?type=amazon&domain=3&asin=B0ZZ1Y2X3W", ITEM],
      [`${camel("ca.")}?context=search`, CANADIAN],
      [`${camel("de.")}/go`, ITEM],
      [camel("www."), "https://www.amazon.com/dp/B0ZZ1Y2X3W"],
      [camel(""), "https://www.amazon.com/dp/B0ZZ1Y2X3W"],
      [camel("uk."), "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W"],
      [camel("jp."), "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W"],
      [camel("au."), "https://www.amazon.com.au/dp/B0ZZ1Y2X3W"],
      ["https://fr.camelcamelcamel.com/A-Title/product/B0ZZ1Y2X3W?active=price", "https://www.amazon.fr/dp/B0ZZ1Y2X3W"],
      ["keepa.com/#!product/11-B0ZZ1Y2X3W", "https://www.amazon.com.mx/dp/B0ZZ1Y2X3W"],
      ["https://keepa.com/#%21product/2-b0zz1y2x3w", "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W"],
      ["https://keepa.com/r/?asin=B0ZZ1Y2X3W&domain=8&smile=0", "https://www.amazon.it/dp/B0ZZ1Y2X3W"],
      [`Price drop: ${camel("es.")} 🔥`, "https://www.amazon.es/dp/B0ZZ1Y2X3W"],
    ],
  );

  it.each([
    "https://keepa.com/#!product/7-B0ZZ1Y2X3W",
    "https://keepa.com/#!product/99-B0ZZ1Y2X3W",
    "https://keepa.com/#!product/B0ZZ1Y2X3W",
    "https://keepa.com/#!search/3-lamp",
    "https://dyn.keepa.com/r/?type=amazon&asin=B0ZZ1Y2X3W",
    "https://camelcamelcamel.com/top_drops",
    "https://xx.camelcamelcamel.com/product/B0ZZ1Y2X3W",
    "https://ca.camelcamelcamel.com.evil.example/product/B0ZZ1Y2X3W",
    "https://notkeepa.com/#!product/3-B0ZZ1Y2X3W",
    "https://x.example/product/B0ZZ1Y2X3W",
  ])("%s has no repair", (text) => {
    expect(repairAmazonUrl(text)).toBeNull();
    expect(parseNewDestination(text)).toMatchObject({ kind: "refused", code: "not-an-amazon-link" });
  });
});

const PRODUCT = "https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=annaq-20";

describe("an address that Amazon opens no more", () => {
  const widget = (host: string, rest: string) =>
    `https://${host}/widgets/q?ServiceVersion=20070822&asins=B0ZZ1Y2X3W&${rest}`;
  const old = (rest: string) => `https://www.amazon.com/exec/obidos/redirect${rest}`;
  repairs(
    ["ended"],
    [
      [old("-home/annaq-20"), "https://www.amazon.com/?tag=annaq-20"],
      [old("-home?tag=annaq-20&site=home"), "https://www.amazon.com/?tag=annaq-20"],
      [old("?tag=annaq-20"), "https://www.amazon.com/?tag=annaq-20"],
      [old("?tag=annaq-20&path=ASIN/B0ZZ1Y2X3W"), PRODUCT],
      [old("?link_code=as2&path=ASIN%2FB0ZZ1Y2X3W&tag=annaq-20&camp=1"), PRODUCT],
      [old("?path=tg/detail/-/b0zz1y2x3w/ref=x&tag=annaq-20"), PRODUCT],
      [
        old(
          "?tag=annaq-20%26path=http://www.amazon.com/gp/redirect.html%253fASIN=B0ZZ1Y2X3W%2526tag=annaq-20%2526lcode=x",
        ),
        PRODUCT,
      ],
      [
        old("?tag=annaq-20&path=external-search%3Fsearch-type=ss%26keyword=desk+lamp%26index=x"),
        "https://www.amazon.com/s?k=desk%20lamp&tag=annaq-20",
      ],
      [
        "http://amazon.co.jp/o/redirect?tag=anna-22&path=ASIN/B0ZZ1Y2X3W",
        "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W?tag=anna-22",
      ],
      [widget("ws-na.amazon-adsystem.com", "MarketPlace=US&tracking_id=annaq-20"), PRODUCT],
      [widget("ws-eu.amazon-adsystem.com", "MarketPlace=DE&tag=anna-21&th=1"), `${ITEM}?tag=anna-21`],
      [widget("ws-eu.amazon-adsystem.com", "region=GB"), "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W"],
      [widget("ws.amazon.de", "tag=anna-21"), `${ITEM}?tag=anna-21`],
      [
        "https://rcm-eu.amazon-adsystem.com/e/cm?lt1=_blank&t=anna-21&o=3&asins=B0ZZ1Y2X3W&linkId=x",
        `${ITEM}?tag=anna-21`,
      ],
      ["http://rcm.amazon.com/e/cm?t=annaq-20&o=1&p=8&asins=B0ZZ1Y2X3W,B0ZZ1Y2X3V", PRODUCT],
      [
        "https://www.amazon.com/errors/validateCaptcha?amzn=a%3D&amzn-r=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dannaq-20&field-keywords=",
        PRODUCT,
      ],
      ["https://www.amazon.de/-/en/errors/validateCaptcha?amzn-r=%2Fs%3Fk%3Dlamp", "https://www.amazon.de/s?k=lamp"],
    ],
  );
  repairs(
    ["text-around", "ended"],
    [
      [widget("ws-na.amazon-adsystem.com", "MarketPlace=US&tracking_id=annaq-20").slice("https:".length), PRODUCT],
      [`<iframe src="//rcm-na.amazon-adsystem.com/e/cm?t=annaq-20&o=1&asins=B0ZZ1Y2X3W"></iframe>`, PRODUCT],
    ],
  );
  const preview = "amazon.de/kp/embed?asin=B0ZZ1Y2X3W&preview=newtab&linkCode=kpe&tag=anna-21";
  repairs(
    ["preview"],
    [
      [`https://read.${preview.replace(".de", ".com").replace("anna-21", "annaq-20")}`, PRODUCT],
      [`https://lesen.${preview}`, `${ITEM}?tag=anna-21`],
      [`https://leer.${preview.replace(".de", ".es")}`, "https://www.amazon.es/dp/B0ZZ1Y2X3W?tag=anna-21"],
      [
        `https://read.${preview.replace(".de/kp/embed", ".co.jp/kp/card")}`,
        "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W?tag=anna-21",
      ],
      ["https://read.amazon.com/sample/B0ZZ1Y2X3W?clientId=share", "https://www.amazon.com/dp/B0ZZ1Y2X3W"],
    ],
  );
  repairs(
    ["wrapper"],
    [
      [
        "https://www.amazon.de/gp/slredirect/picassoRedirect.html?url=%2FLamp%2Fdp%2FB0ZZ1Y2X3W&tag=anna-21",
        `${ITEM.replace("/dp", "/Lamp/dp")}?tag=anna-21`,
      ],
      [`https://www.amazon.de/ap/signin?openid.return_to=${INSIDE}`, TAGGED],
      [`com.amazon.mobile.shopping://${TAGGED.slice(8)}`, TAGGED],
      ["com.amazon.mobile.shopping://www.amazon.de/products/B0ZZ1Y2X3W/", `${ITEM}/`],
      ["com.amazon.mobile.shopping.web://www.amazon.de/products/B0ZZ1Y2X3W?th=1&tag=anna-21", TAGGED],
    ],
  );

  it.each([
    old(""),
    old("?path=subst/home/home.html"),
    "https://www.amazon.com/exec/obidos/subst/home/home.html",
    widget("ws-na.amazon-adsystem.com", "").replace("B0ZZ1Y2X3W", "B0ZZ"),
    widget("ws-xx.amazon-adsystem.com", "MarketPlace=XX"),
    widget("ws-na.amazon-adsystem.com.evil.example", "MarketPlace=US"),
    "https://ir-na.amazon-adsystem.com/e/ir?t=annaq-20&l=am2&o=1&a=B0ZZ1Y2X3W",
    "https://read.amazon.com/kp/notebook",
    "https://www.amazon.de/errors/validateCaptcha?amzn-r=%2F%2Fevil.example",
    "https://www.amazon.de/errors/validateCaptcha?amzn-r=%2Fap%2Fsignin",
    "com.amazon.mobile.shopping:///dp/B0ZZ1Y2X3W",
  ])("%s has no repair", (url) => {
    expect(repairAmazonUrl(url)).toBeNull();
  });
});

describe("text within the path of a product", () => {
  repairs(
    ["text-around"],
    [
      ...["%20", "%E2%80%8B", "%5C", ")", "%29,", "\u200b", "]", ".html", ":", "%2520"].flatMap(
        (end): [string, string][] => [
          [`${ITEM}${end}?tag=anna-21`, `${ITEM}?tag=anna-21`],
          [
            `${ITEM.replace("/dp", "/-/en/Lamp/gp/product")}${end}/ref=x`,
            `${ITEM.replace("/dp", "/-/en/Lamp/gp/product")}/ref=x`,
          ],
        ],
      ),
      [`${ITEM}%20`, ITEM],
      [`${ITEM}%5C`, ITEM],
      [ITEM.replace("/B0", "/%E2%80%8BB0"), ITEM],
      [ITEM.replace("dp/B0ZZ1Y2X3W", "gp/aw/d/[B0ZZ1Y2X3W]"), ITEM.replace("dp", "gp/aw/d")],
    ],
  );

  it.each(["ASIN", "B0ZZ1Y2X3", "B0ZZ1Y2X3WW", "%7BB0ZZ1Y2X3W1%7D", "{asin}", "x/B0ZZ1Y2X3W"])(
    "%s is no ASIN with text around it",
    (part) => {
      expect(repairAmazonUrl(`https://www.amazon.de/dp/${part}?tag=anna-21`)).toBeNull();
    },
  );
});

describe("a typing mistake at the start of an address", () => {
  const rest = TAGGED.slice("https://".length);
  repairs(
    ["start"],
    [
      ...[
        "https://https://",
        "http://https://",
        "https//",
        "https:/",
        "https:",
        "//",
        "https:///",
        "https;//",
        "https:://",
      ],
      ...["htps://", "htttps://", "ttps://", "hxxps://", "HTTPS//", "http://http//", "view https//", "https: //"],
    ].map((start): [string, string] => [start + rest, TAGGED]),
  );
  repairs(
    ["start"],
    [
      ...["wwww.", "ww.", "www.www.", "www,", "www.."].map((www): [string, string] => [
        `https://${rest.replace("www.", www)}`,
        TAGGED,
      ]),
      [`https://${rest.replace(".de", ".de.")}`, TAGGED],
      [TAGGED.replaceAll("/", "\\"), TAGGED],
      [INSIDE, TAGGED],
    ],
  );

  it.each([
    "https//evil.example/dp/B0ZZ1Y2X3W",
    "https//www.amazon.de.evil.example/dp/B0ZZ1Y2X3W",
    "ftp://www.amazon.de/dp/B0ZZ1Y2X3W",
    "https://wwww.amazon.de/ap/signin",
    "https//www.amazon.de",
  ])("%s has no repair", (text) => {
    expect(repairAmazonUrl(text)).toBeNull();
  });
});

describe("blanks in a search", () => {
  repairs(
    ["blanks"],
    [
      [
        "https://www.amazon.de/s?k=desk lamp led&i=kitchen&tag=a-21",
        "https://www.amazon.de/s?k=desk%20lamp%20led&i=kitchen&tag=a-21",
      ],
      [
        "https://www.amazon.de/s?k=desk lamp&i=garden tools&tag=a-21",
        "https://www.amazon.de/s?k=desk%20lamp&i=garden%20tools&tag=a-21",
      ],
      ["https://www.amazon.de/s?rh=p_89:Big Brand&tag=a-21", "https://www.amazon.de/s?rh=p_89:Big%20Brand&tag=a-21"],
      ["https://www.amazon.de/s?k=100% cotton", "https://www.amazon.de/s?k=100%25%20cotton"],
      ["https://www.amazon.de/s?k=desk lamp led", "https://www.amazon.de/s?k=desk%20lamp%20led"],
      ...["\u00a0", "\u202f", "\u3000"].map((blank): [string, string] => [
        `https://www.amazon.de/s?k=desk${blank}lamp&tag=a-21`,
        "https://www.amazon.de/s?k=desk%20lamp&tag=a-21",
      ]),
      ["https://www.amazon.de/s?tag=anna-21&k=desk  lamp", "https://www.amazon.de/s?tag=anna-21&k=desk%20lamp"],
      ["https://www.amazon.de/s/?field-keywords=desk lamp", "https://www.amazon.de/s/?field-keywords=desk%20lamp"],
    ],
  );
});

describe("the ISBN-13 of a book", () => {
  repairs(
    ["isbn-13"],
    [
      ["https://www.amazon.de/dp/9783161484100?tag=anna-21", "https://www.amazon.de/dp/316148410X?tag=anna-21"],
      ["https://www.amazon.de/Ein-Buch/dp/978-3-16-148410-0", "https://www.amazon.de/Ein-Buch/dp/316148410X"],
      ["https://www.amazon.de/gp/product/9780306406157/ref=x", "https://www.amazon.de/gp/product/0306406152/ref=x"],
      ["https://www.amazon.de/dp/9798776159572?tag=anna-21", "https://www.amazon.de/s?k=9798776159572&tag=anna-21"],
    ],
  );

  it("refuses the ISBN-13 of a book, also a mistyped one, which has no repair", () => {
    expect(parseNewDestination("https://www.amazon.de/dp/9783161484100")).toMatchObject({ code: "unusable-link" });
    expect(repairAmazonUrl("https://www.amazon.de/dp/9783161484101")).toBeNull();
  });
});

describe("an address with something around it", () => {
  repairs(
    ["text-around"],
    [
      [`Lampe mit Holzfuß\n${TAGGED} #ad`, TAGGED],
      [`[lamp](${TAGGED})`, TAGGED],
      [TAGGED.replace("https://", ""), TAGGED],
      [`\uFEFF${TAGGED}\u2060`, TAGGED],
      [`${TAGGED}%C2%A0%EF%BB%BF`, TAGGED],
      [`${TAGGED}%22%3E`, TAGGED],
      [`${TAGGED}”`, TAGGED],
      [`${SHORT}%E2%80%9D`, SHORT],
      [`<p>Lampe: <a class="x" href="${TAGGED}">hier</a></p>`, TAGGED],
      [`<a href='${SHORT}' rel=nofollow>hier</a>`, SHORT],
    ],
  );

  it("understands entities in an address from HTML", () => {
    const html = `<a target="_blank" href="${ITEM}?th=1&amp;tag=anna-21"><img src="//x.example/q"></a>`;
    expect(repairAmazonUrl(html)).toEqual({ url: TAGGED, defects: ["text-around", "entities"] });
  });
});

describe("any text", () => {
  const parts = fc.constantFrom(
    "&amp;",
    "&",
    "#038;",
    "&#x26;",
    "tag=",
    "tag=anna-21",
    "AssociateTag=bob-21",
    "?",
    "q=",
    "\u200B",
    INSIDE,
    ITEM,
    SHORT,
    "https://l.facebook.com/l.php?u=",
    "https://www.google.de/url?q=",
    "https://www.amazon.com/exec/obidos/redirect?path=ASIN/",
    "//ws-na.amazon-adsystem.com/widgets/q?asins=",
    "B0ZZ1Y2X3W",
    "https//",
    "wwww.",
    "%E2%80%8B",
    " ",
  );
  const texts = fc.oneof(
    hostileText,
    fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
    fc.tuple(storeAddress, fc.array(parts, { maxLength: 5 })).map(([{ url }, all]) => url + all.join("")),
  );

  it("becomes an address that is accepted and needs no repair, or is left as it is", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const repair = repairAmazonUrl(text);
        if (repair === null) return;
        expect(parseAmazonUrl(repair.url).kind).not.toBe("refused");
        expect(repair.url).not.toBe(text);
        expect(repair.defects).not.toEqual([]);
        expect(repairAmazonUrl(repair.url)).toBeNull();
      }),
      { numRuns: 5_000 },
    );
  });

  it("leaves an address with one tag or none as it is", () => {
    fc.assert(
      fc.property(storeAddress, ({ url }) => {
        const names = [...new URL(url).searchParams.keys()].map((name) => name.toLowerCase());
        const tags = new URL(url).searchParams.getAll("tag");
        fc.pre(!/&[#\w]+;|%3B|[\p{Cf}\s]$/iu.test(url));
        fc.pre(readableAddress(url) === null);
        fc.pre(tags.length <= 1 && !tags.includes(""));
        fc.pre(names.filter((name) => /tag|id$/.test(name)).length === tags.length);
        expect(repairAmazonUrl(url)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });
});

it("many addresses in one delay nobody", () => {
  const hosts = ["x.example/", "www.amazon.de/dp/", "amazon.com/dp/", "y.example/dp/"];
  for (const host of hosts) {
    const address = `https://y.example/?${`u=https://${host}?a&`.repeat(140)}`;
    expect(repairAmazonUrl(Array(4).fill(address).join(" "))).toBeNull();
  }
});
