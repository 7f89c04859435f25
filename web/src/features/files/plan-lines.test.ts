import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressIn, repairOf } from "./address-lines.ts";
import { planLines } from "./plan-lines.ts";
import { type FileLine, readLines } from "./read-lines.ts";

const LAMP = "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20";
const CHAIR = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const NO_DETAILS = { slug: null, domain: null, labels: [], unclearExpiry: null, ...eachOwnerField(() => null) };

/** A code in use: the user's link that it opens, or that of another. */
interface UsedCode {
  code: string;
  ownCode: string | null;
  webUrl: string | null;
}

interface OwnLink {
  code: string;
  webUrl: string;
  nickname: string | null;
}

function plan(
  parts: Partial<FileLine>[],
  used: readonly UsedCode[] = [],
  own: readonly OwnLink[] = [],
  domain: string | null = null,
) {
  const lines = parts.map((part, index) => {
    const line = { line: index + 2, url: LAMP, ...NO_DETAILS, ...part };
    return { ...line, ...addressIn(line.url) };
  });
  return planLines(lines, {
    domain,
    ownDomains: ["go.example", "my.example"],
    knownOf({ url, slug, domain: on }) {
      const { address } = addressIn(url);
      const webUrl = address.kind === "refused" ? "" : address.webUrl;
      const use = used.find(({ code }) => slug !== undefined && code === shortCodeOf(slug, on));
      const slugLink = use?.webUrl === webUrl ? use.ownCode : null;
      return { webUrl, isSlugUsed: use !== undefined, slugLink };
    },
    ownLinksTo: (webUrl) =>
      own.flatMap((link) => (link.webUrl === webUrl ? { shortCode: link.code, nickname: link.nickname } : [])),
    now: Date.parse("2026-11-21"),
  });
}
const outcomes = (...args: Parameters<typeof plan>) =>
  plan(...args).map(({ refusal, replacement }) => refusal ?? replacement ?? "link");

it.each([
  ["go.anna.example,sale/mug", "slug-malformed"],
  ["go.anna.example,_root", "slug-malformed"],
  ["go.anna.example,", "slug-missing"],
  [",", "link"],
])("a file of Dub with the code %s: %s", (code, outcome) => {
  const file = new TextEncoder().encode(`domain,key,url\n${code},${LAMP}`);
  const { lines } = readLines(file, "UTC");
  expect(outcomes(lines)).toEqual([outcome]);
});

describe("a line is refused", () => {
  it.each([
    ["", "link-missing"],
    ["https://example.com/dp/B08N5WRWNW", "not-an-amazon-link"],
    ["javascript:alert(1)", "not-an-amazon-link"],
    ["https://www.amazon.com.evil.example/dp/B08N5WRWNW", "not-an-amazon-link"],
    ["https://advertising.amazon.com/x", "not-a-shopping-page"],
    ["https://www.amazon.com/ap/signin", "unusable-link"],
  ])("refuses the line %j: %s", (url, refusal) => {
    expect(outcomes([{ url }])).toEqual([refusal]);
  });

  it("refuses a line whose date of expiry is not clear", () => {
    expect(outcomes([{ unclearExpiry: "tomorrow" }])).toEqual(["expiry-unclear"]);
  });

  it("refuses a line that has expired", () => {
    const dates = ["2026-11-20", "2026-11-22"].map((day) => ({ expiresAt: `${day}T00:00:00.000Z` }));
    expect(outcomes([dates[0] ?? {}, { ...dates[1], slug: "later" }])).toEqual(["expired", "link"]);
  });

  it("refuses a line that repeats an earlier one, unless its code or name is another", () => {
    const names = [{ nickname: "A" }, { nickname: "B" }, { nickname: "A" }];
    expect(outcomes(names)).toEqual(["link", "link", "repeated-line"]);
    const lines = [{}, {}, { slug: "lamp" }, { slug: "LAMP" }, { slug: "lamp2" }, { url: CHAIR }];
    expect(outcomes(lines)).toEqual(["link", "repeated-line", "link", "repeated-line", "link", "link"]);
  });

  it("refuses a line whose link the user has, which had the code before, and now another name", () => {
    const used = [{ code: "lamp", ownCode: "lamp2", webUrl: LAMP }];
    const own = [{ code: "lamp2", webUrl: LAMP, nickname: "New" }];
    expect(outcomes([{ slug: "lamp", nickname: "Old" }], used, own)).toEqual(["already-yours"]);
  });

  it("refuses a line whose address and name the user has, unless the line has its own code", () => {
    const ownLinks = [
      { code: "abc2345", webUrl: LAMP, nickname: "Lamp" },
      { code: "abc2346", webUrl: CHAIR, nickname: null },
    ];
    const lines = [
      { nickname: "Lamp", slug: "login" },
      { nickname: "Lamp", slug: "lamp" },
      { nickname: "Other" },
      { url: CHAIR },
    ];
    expect(outcomes(lines, [], ownLinks)).toEqual(["already-yours", "link", "link", "already-yours"]);
  });
});

describe("a link gets a new code", () => {
  it.each([
    ["x", "slug-malformed"],
    ["my__lamp", "slug-malformed"],
    ["my_lamp", "link"],
    ["лампа", "slug-malformed"],
    ["login", "slug-reserved"],
    ["taken", "slug-taken"],
    ["My-Lamp", "link"],
  ])("a new code replaces %s: %s", (slug, outcome) => {
    expect(outcomes([{ slug }], [{ code: "taken", ownCode: null, webUrl: null }])).toEqual([outcome]);
  });

  it("a link gets a new code if an earlier line has its code", () => {
    expect(outcomes([{ slug: "lamp" }, { slug: "lamp", url: CHAIR }])).toEqual(["link", "slug-repeated"]);
  });
});

it("finds the Amazon link in the text of a cell, with unchanged bytes", () => {
  expect(plan([{ url: `Look: ${LAMP} (ad)` }])).toMatchObject([{ url: LAMP, refusal: null }]);
});

it("leaves codes on the own domain that they have in the file, and others on that of the import", () => {
  const lines = [
    { slug: "mug", domain: "go.example", url: LAMP },
    { slug: "mug", domain: "my.example", url: LAMP },
    { slug: "mug", domain: "my.example", url: CHAIR },
    { slug: "mug", domain: "other.example", url: LAMP },
    { slug: "mug", url: CHAIR },
    { slug: "login", domain: "my.example", url: CHAIR },
    { slug: "login", url: CHAIR },
  ];
  const used = [{ code: "login@go.example", ownCode: null, webUrl: null }];
  expect(outcomes(lines, used)).toEqual([
    "link",
    "link",
    "slug-repeated",
    "link",
    "slug-repeated",
    "link",
    "slug-reserved",
  ]);
});

it("marks codes that no link can have, and codes that differ only in capital letters", () => {
  const slugs = ["커피", "🔥", "a@b.example", "a b", "Mug", "mug", "Mug"];
  const lines = slugs.map((slug, index) => ({ slug, url: `${LAMP}&th=${index}` }));
  expect(outcomes(lines)).toEqual([
    ...Array(4).fill("slug-malformed"),
    "link",
    "slug-differs-in-case",
    "slug-repeated",
  ]);
});

it("offers the address that was probably meant", () => {
  const urlOf = (url: string) => repairOf(url)?.url;
  expect(urlOf(`${LAMP}&amp;th=1`)).toBe(`${LAMP}&th=1`);
  expect(urlOf(`https://www.google.com/url?q=${encodeURIComponent(LAMP)}`)).toBe(LAMP);
  expect(urlOf(`See ${LAMP}`)).toBeUndefined();
  expect(urlOf("https://shop.example")).toBeUndefined();
});

it("never plans two links with the same code, and keeps the number of lines", () => {
  const slug = fc.option(fc.constantFrom("lamp", "LAMP", "chair", "login", "x", ""));
  const line = fc.record({ slug, url: fc.constantFrom(LAMP, CHAIR, "nothing") });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const planned = plan(lines, [{ code: "chair", ownCode: "chair", webUrl: CHAIR }]);
      expect(planned).toHaveLength(lines.length);
      const kept = planned.filter(
        ({ refusal, replacement, slug: code }) => refusal === null && replacement === null && code,
      );
      expect(new Set(kept.map(({ slug: code }) => code)).size).toBe(kept.length);
    }),
  );
});
