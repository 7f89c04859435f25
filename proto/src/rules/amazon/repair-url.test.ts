import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText, storeAddress } from "../testing/arbitrary-urls.ts";
import { parseAmazonUrl } from "./amazon-url.ts";
import type { Defect } from "./defects.ts";
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
      [`${ITEM}?th=1&AMP;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#038;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#38;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#0038;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#x26;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#X26;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#x0026;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp;amp;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp;amp;amp;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp;#038;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp;#x26;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&#038;amp;tag=anna-21`, TAGGED],
      [`${ITEM}?th=1&amp%3Btag=anna-21`, TAGGED],
      [`${ITEM}?th=1&tag&#61;anna-21`, TAGGED],
      [`${ITEM}?th&#61;1&amp;tag&#x3d;anna-21`, TAGGED],
      [`${ITEM.replaceAll("/", "&#x2F;")}?th&#x3D;1&amp;tag&#x3D;anna-21`, TAGGED],
      [ITEM.replaceAll("/", "&#47;"), ITEM],
      [`${ITEM}&#63;th=1&amp;tag=anna-21`, TAGGED],
      [`${ITEM}?a=1&amp;b=2&#038;c=3&d=4`, `${ITEM}?a=1&b=2&c=3&d=4`],
      [`${ITEM}?th=1&amp;tag=anna-21#customerReviews`, `${TAGGED}#customerReviews`],
      [`${SHORT}?a=1&amp;b=2`, `${SHORT}?a=1&b=2`],
      ["https&#58;&#47;&#47;amzn.to&#x2f;3TapTru", SHORT],
    ],
  );

  it.each(["&copy;=1", "&th=1", "&amp", "&#169;=1", "&;"])("%s is left as it is", (part) => {
    expect(repairAmazonUrl(`${ITEM}?tag=anna-21${part}`)).toBeNull();
  });
});

describe("a tag under another name", () => {
  repairs(
    ["tag-name"],
    [
      "AssociateTag",
      "associateTag",
      "associatetag",
      "ASSOCIATETAG",
      "Associate-Tag",
      "associate-tag",
      "associate_tag",
      "Associate_Tag",
      "AssociateID",
      "associateId",
      "associate-id",
      "associate_id",
      "AssociatesTag",
      "associates-tag",
      "associates_id",
      "affiliateTag",
      "affiliate-tag",
      "affiliate_id",
      "AssocTag",
      "assoc_tag",
      "TAG",
      "Tag",
    ].map((name) => [`${ITEM}?th=1&${name}=anna-21`, TAGGED]),
  );

  it("takes the place of an empty tag", () => {
    const repair = repairAmazonUrl(`${ITEM}?th=1&tag=&AssociateTag=anna-21`);
    expect(repair).toEqual({ url: TAGGED, defects: ["tag-name", "empty-tag"] });
  });

  it.each([
    `${TAGGED}&AssociateTag=bob-21`,
    `${ITEM}?AssociateTag=`,
    `${ITEM}?AssociateTag=${"not a tag".replaceAll(" ", "%20")}`,
    "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W",
    "https://www.amazon.de/gp/cart/aws-merge.html?associate-id=anna-21",
    `${ITEM}?associate=anna-21`,
  ])("%s is left as it is", (url) => {
    expect(repairAmazonUrl(url)).toBeNull();
  });
});

describe("a second or an empty tag", () => {
  const rest = "linkCode=df0&psc=1";
  repairs(
    ["empty-tag"],
    [
      [`${ITEM}?tag=anna-21&${rest}&th=1&psc=1&tag=&ref=`, `${ITEM}?tag=anna-21&${rest}&th=1&psc=1&ref=`],
      [`${ITEM}?tag=&tag=anna-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna-21&tag=`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna-21&tag`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=&${rest}&tag=anna-21`, `${ITEM}?tag=anna-21&${rest}`],
      [`${ITEM}?tag&tag=&tag=anna-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=`, ITEM],
      [`${ITEM}?tag`, ITEM],
      [`${ITEM}?th=1&tag=`, `${ITEM}?th=1`],
      [`${ITEM}?tag=#top`, `${ITEM}#top`],
      [`${ITEM}?%74ag=&tag=anna-21`, `${ITEM}?tag=anna-21`],
    ],
  );
  repairs(
    ["several-tags"],
    [
      [`${ITEM}?tag=anna-21&tag=bob-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=bob-21&tag=anna-21`, `${ITEM}?tag=bob-21`],
      [`${ITEM}?tag=anna-21&tag=anna-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna-21&tag=bob-21&tag=`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=&tag=anna-21&tag=bob-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna-21&${rest}&tag=bob-21&th=1`, `${ITEM}?tag=anna-21&${rest}&th=1`],
      [`${ITEM}?th=1&tag=anna-21&tag=maas`, `${ITEM}?th=1&tag=anna-21`],
      [`${ITEM}?tag=anna-21&%74ag=bob-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna%2D21&tag=bob-21`, `${ITEM}?tag=anna-21`],
      [`${ITEM}?tag=anna-21&tag=bob-21#top`, `${ITEM}?tag=anna-21#top`],
      ["https://www.amazon.com/s?k=mug&tag=anna-20&tag=bob-20", "https://www.amazon.com/s?k=mug&tag=anna-20"],
    ],
  );
});

describe("an address inside that of another site", () => {
  const short = encodeURIComponent(SHORT);
  repairs(
    ["wrapper"],
    [
      [`https://www.youtube.com/redirect?event=video_description&redir_token=QUF&q=${short}`, SHORT],
      [`https://www.youtube.com/redirect?q=${INSIDE}&v=abc`, TAGGED],
      [`http://m.youtube.com/redirect?q=${INSIDE}`, TAGGED],
      [`youtube.com/redirect?q=${INSIDE}`, TAGGED],
      [`https://www.youtube.com/redirect?q=amzn.to%2F3TapTru`, SHORT],
      [`https://l.facebook.com/l.php?u=${INSIDE}&h=AT0abc&s=1`, TAGGED],
      [`https://lm.facebook.com/l.php?u=${short}%3Ffbclid%3DIwAR&h=AT0`, `${SHORT}?fbclid=IwAR`],
      [`https://www.facebook.com/l.php?h=AT0&u=${INSIDE}`, TAGGED],
      [`https://l.messenger.com/l.php?u=${INSIDE}`, TAGGED],
      [`https://l.instagram.com/?u=${INSIDE}&e=AT0`, TAGGED],
      [`https://l.instagram.com/?e=AT0&u=${short}`, SHORT],
      [`https://l.threads.net/?u=${INSIDE}`, TAGGED],
      [`https://l.messenger.com/?u=${INSIDE}`, TAGGED],
      [`https://www.facebook.com/flx/warn/?u=${INSIDE}`, TAGGED],
      [`https://news.google.com/news/url?sa=t&url=${INSIDE}`, TAGGED],
      [`https://mail.google.com/url?q=${short}`, SHORT],
      [`https://meet.google.com/linkredirect?authuser=0&dest=${INSIDE}`, TAGGED],
      [`https://safelinks.protection.outlook.com/?url=${INSIDE}`, TAGGED],
      [`https://geni.us/Proxy.ashx?TSID=1&GR_URL=${INSIDE}`, TAGGED],
      [`https://t.umblr.com/redirect?z=${INSIDE}&t=abc`, TAGGED],
      [`https://out.reddit.com/t3_1abc?url=${short}&token=AQ`, SHORT],
      [`https://www.google.com/url?q=${short}%E2%80%8B&sa=D`, SHORT],
      [
        `https://www.google.com/url?q=${encodeURIComponent(`https://l.facebook.com/l.php?u=${INSIDE}&h=1`)}&sa=D`,
        TAGGED,
      ],
      [`https://l.instagram.com/?u=${encodeURIComponent(`https://www.youtube.com/redirect?q=${short}`)}`, SHORT],
      [`https://www.google.com/url?q=${INSIDE}&sa=D&source=docs`, TAGGED],
      [`https://www.google.com/url?q=${SHORT}&sa=D&ust=17`, SHORT],
      [`https://www.google.de/url?sa=t&q=&esrc=s&url=${INSIDE}&usg=AOv`, TAGGED],
      [`https://www.google.co.uk/url?q=lamp&url=${INSIDE}`, TAGGED],
      [`https://google.com.br/url?url=${INSIDE}`, TAGGED],
      [`https://www.google.com/url?sa=t&url=${ITEM}?th=1&tag=anna-21`, TAGGED],
      [`https://eur02.safelinks.protection.outlook.com/?url=${INSIDE}&data=05%7C01&reserved=0`, TAGGED],
      [`https://nam12.safelinks.protection.outlook.com/ap/t-59584e83/?url=${short}`, SHORT],
      [`https://buy.geni.us/Proxy.ashx?TSID=10&GR_URL=${INSIDE}`, TAGGED],
      [`https://buy.geni.us/proxy.ashx?gr_url=${short}`, SHORT],
      [`<https://l.facebook.com/l.php?u=${INSIDE}>`, TAGGED],
      [`Look at this: https://l.instagram.com/?u=${short} 🔥`, SHORT],
    ],
  );

  it("in HTML has entities too", () => {
    const html = `<a target="_blank" href="${ITEM}?th=1&amp;tag=anna-21"><img src="//x.example/q"></a>`;
    expect(repairAmazonUrl(html)).toEqual({ url: TAGGED, defects: ["text-around", "entities"] });
  });

  it("is repaired too", () => {
    const twice = encodeURIComponent(`${ITEM}?th=1&amp;tag=anna-21&tag=`);
    expect(repairAmazonUrl(`https://l.facebook.com/l.php?h=1&amp;u=${twice}`)).toEqual({
      url: TAGGED,
      defects: ["entities", "wrapper", "empty-tag"],
    });
  });

  it.each([
    `https://l.facebook.com/l.php?u=${encodeURIComponent("https://shop.example/dp/B0ZZ1Y2X3W")}`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent(INSIDE)}`,
    `https://l.facebook.com.evil.example/l.php?u=${INSIDE}`,
    `https://evil.example/l.php?u=${INSIDE}`,
    `https://www.youtube.com/watch?q=${INSIDE}`,
    `https://www.google.com/search?q=${INSIDE}`,
    `https://bit.ly/3x?url=${INSIDE}`,
    "https://l.facebook.com/l.php?u=%E4%A",
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`${ITEM}?k=a b&tag=anna-21`)}`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent("https://www.amazon.de/ap/signin")}`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`https://evil.example/redirect?q=${INSIDE}`)}`,
    `https://www.amazon.de/gp/redirect.html?location=${INSIDE}`,
  ])("%s is refused", (text) => {
    expect(repairAmazonUrl(text)).toBeNull();
  });
});

describe("an address with something around it", () => {
  repairs(
    ["text-around"],
    [
      [`Look: ${TAGGED}`, TAGGED],
      [`${TAGGED} #ad`, TAGGED],
      [`Lampe mit Holzfuß\n${TAGGED}`, TAGGED],
      [`Schau dir das auf Amazon an: ${SHORT} Danke!`, SHORT],
      [`<${TAGGED}>`, TAGGED],
      [`"${TAGGED}"`, TAGGED],
      [`'${TAGGED}'`, TAGGED],
      [`„${TAGGED}“`, TAGGED],
      [`«${TAGGED}»`, TAGGED],
      [`(${TAGGED})`, TAGGED],
      [`[lamp](${TAGGED})`, TAGGED],
      [`*${TAGGED}*.`, TAGGED],
      [`👉 ${TAGGED} 👈`, TAGGED],
      [`👉${TAGGED}`, TAGGED],
      [`\u200B${TAGGED}`, TAGGED],
      [`${TAGGED}\u200B`, TAGGED],
      [`\uFEFF${TAGGED}\u2060`, TAGGED],
      [`${TAGGED}%E2%80%8B`, TAGGED],
      [`${TAGGED}%C2%A0%EF%BB%BF`, TAGGED],
      [`${TAGGED}.`, TAGGED],
      [`${TAGGED}”`, TAGGED],
      [`${TAGGED}%22%3E`, TAGGED],
      [`${TAGGED}%20`, TAGGED],
      [`__${TAGGED}__`, TAGGED],
      [`\`${SHORT}\``, SHORT],
      [`~~${SHORT}~~`, SHORT],
      [`||${SHORT}||`, SHORT],
      [`${SHORT}%20`, SHORT],
      [`${SHORT}%E2%80%9D`, SHORT],
      [`[${TAGGED}](${TAGGED})`, TAGGED],
      [`[${SHORT}](<${SHORT}>)`, SHORT],
      [`<p>Lampe: <a class="x" href="${TAGGED}">hier</a></p>`, TAGGED],
      [`<a href='${SHORT}' rel=nofollow>hier</a>`, SHORT],
      [`[url]${TAGGED}[/url]`, TAGGED],
      [TAGGED.replace("https://", ""), TAGGED],
      ["amzn.to/3TapTru", SHORT],
      [`(amazon.de/dp/B0ZZ1Y2X3W).`, ITEM.replace("www.", "")],
    ],
  );
});

describe("any text", () => {
  const parts = fc.constantFrom(
    ...["&amp;", "&", "#038;", "&#x26;", "tag=", "tag=anna-21", "AssociateTag=bob-21", "?", "q=", "\u200B"],
    ...[INSIDE, ITEM, SHORT, "https://l.facebook.com/l.php?u=", "https://www.google.de/url?q=", "%E2%80%8B", " "],
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

  it("is left as it is if it is an address with one tag or none", () => {
    fc.assert(
      fc.property(storeAddress, ({ url }) => {
        const names = [...new URL(url).searchParams.keys()].map((name) => name.toLowerCase());
        const tags = new URL(url).searchParams.getAll("tag");
        fc.pre(!/&[#\w]+;|%3B|[\p{Cf}\s]$/iu.test(url));
        fc.pre(tags.length <= 1 && !tags.includes(""));
        fc.pre(names.filter((name) => /tag|id$/.test(name)).length === tags.length);
        expect(repairAmazonUrl(url)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });
});
