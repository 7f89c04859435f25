import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeAddress } from "../testing/arbitrary-urls.ts";
import { addTag, TAG_PATTERN } from "./add-tag.ts";
import { parseStorePage } from "./amazon-url.ts";
import { tagHealth } from "./tag-health.ts";

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const RUNS = { numRuns: 5_000 };

describe("addTag", () => {
  it.each([
    [DP, `${DP}?tag=me-21`],
    [`${DP}?`, `${DP}?tag=me-21`],
    [`${DP}?th=1`, `${DP}?th=1&tag=me-21`],
    [`${DP}??`, `${DP}??&tag=me-21`],
    [`${DP}?th=1&`, `${DP}?th=1&tag=me-21`],
    [`${DP}#reviews`, `${DP}?tag=me-21#reviews`],
    [`${DP}?th=1#a?tag=x`, `${DP}?th=1&tag=me-21#a?tag=x`],
    [`${DP}?tag=&th=1`, `${DP}?tag=me-21&th=1`],
    [`${DP}?tag&th=1`, `${DP}?tag=me-21&th=1`],
    [`${DP}?t%61g=&th=1`, `${DP}?t%61g=me-21&th=1`],
    [`${DP}?tag=&tag=`, `${DP}?tag=me-21&tag=`],
    [`${DP}?x=%c3%89t%C3%A9+a%20b&y&k='é'`, `${DP}?x=%c3%89t%C3%A9+a%20b&y&k='é'&tag=me-21`],
    [` http://AMAZON.de/s?k=lamp `, "http://AMAZON.de/s?k=lamp&tag=me-21"],
  ])("adds the tag to %s and nothing else", (url, tagged) => {
    expect(addTag(url, "me-21")).toBe(tagged);
  });

  it.each([
    `${DP}?tag=other-21`,
    `${DP}?tag=me-21`,
    `${DP}?tag=&tag=other-21`,
    "https://www.amazon.com/exec/obidos/ASIN/080442957X/ref=nosim/mystore-20",
    "https://amzn.to/3abc",
    "https://example.com/dp/B0ZZ1Y2X3W",
    `${DP}?x=${"a".repeat(4_096 - DP.length - 6)}`,
    "",
  ])("returns null for %s", (url) => {
    expect(addTag(url, "me-21")).toBeNull();
  });

  it("adds the tag to the product that a sponsored link leads to", () => {
    const sponsored = "https://www.amazon.in/sspa/click?ie=UTF8&url=%2FLamp%2Fdp%2FB0ZZ1Y2X3W%3Fth%3D1";
    expect(addTag(sponsored, "me-21")).toBe("https://www.amazon.in/Lamp/dp/B0ZZ1Y2X3W?th=1&tag=me-21");
  });
});

describe("for any page of any store and any tag", () => {
  const tag = fc.stringMatching(TAG_PATTERN);
  const eachAddress = (check: (url: string, tag: string, tagged: string | null) => void) =>
    fc.assert(
      fc.property(storeAddress, tag, fc.constantFrom("", "#reviews"), ({ url }, added, fragment) =>
        check(url + fragment, added, addTag(url + fragment, added)),
      ),
      RUNS,
    );
  const tagsOf = (url: string) => {
    const values = new URL(parseStorePage(url)?.webUrl ?? "").searchParams.getAll("tag");
    return values.filter((value) => value !== "");
  };

  it("adds it exactly if the page has none", () => {
    eachAddress((url, _tag, tagged) => {
      const page = parseStorePage(url);
      expect(tagged !== null).toBe(page !== null && tagHealth(page).kind === "none");
    });
  });

  it("is then the page's only tag, and is not added twice", () => {
    eachAddress((_url, added, tagged) => {
      if (tagged === null) return;
      expect(tagsOf(tagged)).toEqual([added]);
      expect(addTag(tagged, added)).toBeNull();
    });
  });

  it("keeps every other byte", () => {
    eachAddress((url, added, tagged) => {
      if (tagged === null) return;
      const at = [`?tag=${added}`, `&tag=${added}`, `tag=${added}`, `=${added}`, added];
      const removals = at.flatMap((text) =>
        Array.from({ length: tagged.length }, (_, i) => i)
          .filter((i) => tagged.startsWith(text, i))
          .map((i) => tagged.slice(0, i) + tagged.slice(i + text.length)),
      );
      expect(removals).toContain(url);
    });
  });

  it("leads to the same page", () => {
    eachAddress((url, _added, tagged) => {
      if (tagged === null) return;
      const { webUrl: _before, tag: _noTag, ...before } = parseStorePage(url) ?? {};
      const { webUrl: _after, tag: _tag, ...after } = parseStorePage(tagged) ?? {};
      expect(after).toEqual(before);
    });
  });
});
