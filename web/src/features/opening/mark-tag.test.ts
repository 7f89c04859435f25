import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markTag } from "./mark-tag.ts";

function pageOf(url: string) {
  const page = parseStorePage(url);
  if (!page) throw new Error(`Not a store page: ${url}`);
  return page;
}

const marked = (address: string, url: string) =>
  markTag(address, pageOf(url)).flatMap(({ text, isTag }) => (isTag ? [text] : []));

describe("the tag is marked", () => {
  const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
  test.each<[string, string[]]>([
    [`${DP}?th=1&tag=me-21&psc=1`, ["tag=me-21"]],
    [`${DP}?%74ag=me-21`, ["%74ag=me-21"]],
    [`${DP}?tag=me-21&tag=you-21&tag=`, ["tag=me-21", "tag=you-21"]],
    [`${DP}??tag=me-21`, []],
    [`${DP}?u=https%3A%2F%2Fx%3Ftag%3Dother-20`, []],
    [`${DP}?u=?tag=other-20`, []],
    [`${DP}?mytag=me-21`, []],
    ["https://www.amazon.com/exec/obidos/ASIN/080442957X/mystore-20?th=1", ["mystore-20"]],
  ])("in %s", (url, tags) => {
    const page = pageOf(url);
    expect(marked(page.webUrl, url)).toEqual(tags);
    expect(marked(iosAppLink(page.webUrl), url)).toEqual(tags);
    const intent = androidIntent(page.webUrl, page.marketplace);
    expect(marked(intent, url)).toEqual([...tags, ...tags.map(encodeURIComponent)]);
  });

  test("not in an address that does not contain the page's URL", () => {
    expect(marked("https://tapthru.example/l/abcdefg?tag=x-20", `${DP}?tag=me-21`)).toEqual([]);
  });
});

test("the joined segments are the address, for any query", () => {
  const parameter = fc.oneof(
    fc.constantFrom("tag=me-21", "tag=", "th=1", "%26tag%3Dme-21", "?tag=a", "tag", "=", "x=é本"),
    fc.stringMatching(/^[a-z0-9=%?;:/]{0,8}$/),
  );
  fc.assert(
    fc.property(fc.array(parameter, { maxLength: 5 }), (parameters) => {
      const page = pageOf(`https://www.amazon.com/dp/B0ZZ1Y2X3W?${parameters.join("&")}`);
      const { webUrl, marketplace } = page;
      for (const address of [webUrl, iosAppLink(webUrl), androidIntent(webUrl, marketplace)]) {
        const segments = markTag(address, page);
        expect(segments.map(({ text }) => text).join("")).toBe(address);
      }
      const tags = new URL(webUrl).searchParams.getAll("tag").filter(Boolean);
      expect(markTag(webUrl, page).filter(({ isTag }) => isTag)).toHaveLength(tags.length);
    }),
  );
});
