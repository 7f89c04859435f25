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
  ])("the address %s says that the visitor left an in-app browser: %s", (url, isEscaped) => {
    expect(visitorFrom({}, url).isEscaped).toBe(isEscaped);
  });
});

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.0.0 Safari/537.36";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const pretended = (headers: IncomingHttpHeaders) => visitorFrom(headers, "/l/abc2345").client.agentClass === "bot";

it.each([
  CHROME,
  `${CHROME} Edg/103.0.1264.37`,
  `${CHROME.replace("103", "141")} OPR/125.0.0.0`,
  "Mozilla/5.0 (X11; Linux x86_64; rv:90.0) Gecko/20100101 Firefox/90.0",
  "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
])("a program pretends to be %s if none of its headers is there", (agent) => {
  expect(pretended({ "user-agent": agent, accept: "*/*" })).toBe(true);
  expect(pretended({ "user-agent": agent, "accept-language": "de" })).toBe(false);
  expect(pretended({ "user-agent": agent, "sec-fetch-mode": "navigate" })).toBe(false);
  expect(pretended({ "user-agent": agent, "sec-fetch-site": "none" })).toBe(false);
});

it.each([
  CHROME.replace("103", "76"),
  CHROME.replace("Windows NT 10.0; Win64; x64", "Linux; Android 10; K").replace("Safari", "Mobile Safari"),
  CHROME.replace("Windows NT 10.0; Win64; x64", "Linux; Android 15; Pixel 9; wv"),
  CHROME.replace("Windows NT 10.0; Win64; x64", "SMART-TV; Linux; Tizen 7.0"),
  `${CHROME} MicroMessenger/6.8.0 NetType/WIFI WindowsWechat`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:89.0) Gecko/20100101 Firefox/89.0",
  "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
  `${MAC} Version/12.1.2 Safari/605.1.15`,
  `${MAC} Version/18.6 Safari/605.1.15`,
  `${MAC} CriOS/141 Version/11.1.1 Safari/605.1.15`,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 400.0.0.0",
])("does not take %s, which may send none of the headers, for a program", (agent) => {
  expect(pretended({ "user-agent": agent, accept: "*/*" })).toBe(false);
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
