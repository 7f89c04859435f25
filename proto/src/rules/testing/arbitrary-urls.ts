import fc from "fast-check";
import { MARKETPLACES } from "../amazon/marketplaces.ts";

/** Everything a path or query may hold as it is typed: no blank, `#`, backslash or control character. */
const URL_CHARACTERS = [
  ..."abcXYZ0189-._~!$&'()*+,;=:@%/?|{}[]^`\"<>",
  ..."éñßſıİ本の日本語حكنЖ🔥👩\u200d\u00a0\u3000\ufeff",
  "%20",
  "%27",
  "%2F",
  "%00",
  "%",
  "//",
  "..",
  "&tag=",
];

function text(units: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...units), maxLength });
}

const pathPart = text(
  URL_CHARACTERS.filter((unit) => !unit.includes("/") && !unit.includes("?")),
  12,
);

export const asin: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^B[0-9A-Z]{9}$/),
  fc.stringMatching(/^[0-9]{9}[0-9X]$/),
);

const KNOWN_SHAPES = [
  "/dp/{asin}",
  "/{part}/dp/{asin}/ref={part}",
  "/-/en/{part}/dp/{asin}",
  "/gp/product/{asin}/{part}",
  "/gp/aw/d/{asin}",
  "/exec/obidos/ASIN/{asin}/{part}",
  "/shop/{part}",
  "/stores/{part}/page/{part}",
  "/s",
  "/{part}/{part}",
];

/** Without those that begin as the address of a site, which are refused: `//a.XY`. */
const path: fc.Arbitrary<string> = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(...KNOWN_SHAPES), asin, fc.infiniteStream(pathPart))
      .map(([shape, id, parts]) => shape.replaceAll("{asin}", id).replaceAll("{part}", () => parts.next().value ?? "")),
    text(
      URL_CHARACTERS.filter((unit) => !unit.includes("?")),
      30,
    ).map((rest) => `/${rest}`),
    fc.constant(""),
  )
  .filter((text) => !/^(?:(?:%(?!2F)..|[^\p{L}\p{N}%/])*(?:\/|%2F)){2}.*\.[a-z]/iu.test(text));

const query: fc.Arbitrary<string> = fc.option(
  text(URL_CHARACTERS, 40).map((rest) => `?${rest}`),
  { nil: "" },
);

export interface StoreAddress {
  host: string;
  path: string;
  query: string;
  url: string;
}

export const storeAddress: fc.Arbitrary<StoreAddress> = fc
  .record({
    scheme: fc.constantFrom("https://", "http://", "HTTPS://"),
    host: fc
      .tuple(fc.constantFrom("", "www.", "m.", "smile."), fc.constantFrom(...Object.keys(MARKETPLACES), "jp"))
      .map(([prefix, key]) => `${prefix}amazon.${key}`),
    isUpperCase: fc.boolean(),
    path,
    query,
    fragment: fc.constantFrom("", "#", "#customerReviews", "#;end#/dp/B000000000"),
  })
  .map(({ scheme, host, isUpperCase, path, query, fragment }) => {
    const typedHost = isUpperCase ? host.toUpperCase() : host;
    // A blank at the end is trimmed, as in any pasted text; before a fragment it would not be.
    const url = `${scheme}${typedHost}${path}${query}`.trimEnd();
    const typedRest = url.slice(scheme.length + host.length);
    const queryStart = typedRest.indexOf("?");
    return {
      host,
      path: queryStart === -1 ? typedRest : typedRest.slice(0, queryStart),
      query: queryStart === -1 ? "" : typedRest.slice(queryStart),
      url: url + fragment,
    };
  });

const HOSTILE_PARTS = [
  "https://",
  "http:",
  "//",
  "javascript:",
  "\\",
  "@",
  ":",
  ":443",
  ".",
  "#",
  "?",
  "%2e",
  "\0",
  "\n",
  "\t",
  " ",
  "\ud800",
  "\udfff",
  "evil.example",
  "127.0.0.1",
  "0x7f.1",
  "[::1]",
  "amazon.com",
  "www.amazon.de",
  "amazon.jp",
  "amzn.to",
  "a.co",
  "link.amazon",
  "аmazon.com",
  "amazon。com",
  "/dp/B0ZZ1Y2X3W",
  "/d/abc1234",
  "tag=me-21",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE_PARTS), pathPart), { maxLength: 10 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...HOSTILE_PARTS), { maxLength: 6 }).map((parts) => `https://${parts.join("")}`),
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);
