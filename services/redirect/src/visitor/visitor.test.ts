import type { IncomingHttpHeaders } from "node:http";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { describe, expect, it } from "vitest";
import { createClientParser, visitorFrom as from, visitorKind } from "./visitor.ts";

const parseClient = createClientParser(() => BUILT_IN_OPENING_TABLE);
const visitorFrom = (headers: IncomingHttpHeaders, url: string) => from({ headers, url }, parseClient);

describe("visitorFrom", () => {
  it.each([
    ["/l/abc2345", ""],
    ["/l/abc2345?", ""],
    ["/l/abc2345?a=1&b=%20?c", "a=1&b=%20?c"],
  ])("reads the raw query of %s", (url, query) => {
    expect(visitorFrom({}, url).query).toBe(query);
  });

  it("reads the device from the User-Agent; without one it is a bot", () => {
    expect(visitorFrom({ "user-agent": "Mozilla/5.0 (iPhone; CPU)" }, "/").client.device).toBe("ios");
    expect(visitorFrom({}, "/").client.device).toBe("bot");
  });

  it.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { "sec-purpose": "prefetch;anonymous-client-ip" },
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
  ])("recognizes %o as a prefetch", (headers) => {
    expect(visitorFrom(headers, "/").isPrefetch).toBe(true);
  });

  it.each([{}, { "sec-purpose": "" }, { purpose: "navigate" }])("recognizes %o as a page view", (headers) => {
    expect(visitorFrom(headers, "/").isPrefetch).toBe(false);
  });

  it.each([
    ["/l/abc2345?tt_esc=1", true],
    ["/l/abc2345?utm_source=ig&tt_esc=1&x=y", true],
    ["/l/abc2345?tt_esc=10", false],
    ["/l/abc2345?x=tt_esc=1", false],
    ["/l/abc2345", false],
  ])("at %s the visitor left an in-app browser: %s", (url, isEscaped) => {
    expect(visitorFrom({}, url).isEscaped).toBe(isEscaped);
  });
});

const iphone = { "user-agent": "Mozilla/5.0 (iPhone; CPU)" };

it.each([
  ["a page view", iphone, "GET", "ios"],
  ["a HEAD request of a browser", iphone, "HEAD", "bot"],
  ["a prefetch", { ...iphone, "sec-purpose": "prefetch" }, "GET", "prefetch"],
  ["a crawler", { "user-agent": "Twitterbot/1.0" }, "HEAD", "preview-crawler"],
  ["a library", { "user-agent": "curl/8.5.0", purpose: "prefetch" }, "GET", "http-library"],
  ["a request without a User-Agent", {}, "GET", "bot"],
])("a visit counts by its kind: counts %s", (_request, headers, method, expected) => {
  expect(visitorKind(visitorFrom(headers, "/l/abc2345"), method)).toBe(expected);
});

describe("createClientParser", () => {
  const IPHONE_INSTAGRAM = "Mozilla/5.0 (iPhone) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5)";

  it("parses a User-Agent once per table", () => {
    let table = BUILT_IN_OPENING_TABLE;
    const parse = createClientParser(() => table);
    const first = parse(IPHONE_INSTAGRAM);
    expect(parse(IPHONE_INSTAGRAM)).toBe(first);
    table = {
      ...table,
      version: "next",
      rows: table.rows.filter(({ app }) => app !== "instagram"),
    };
    expect(parse(IPHONE_INSTAGRAM).opening).toBeNull();
  });

  it("does not cache very long User-Agents", () => {
    const long = `Mozilla/5.0 (iPhone) ${"x".repeat(100_000)}`;
    expect(parseClient(long)).not.toBe(parseClient(long));
    expect(parseClient(long)).toEqual(parseClient(long));
  });
});
