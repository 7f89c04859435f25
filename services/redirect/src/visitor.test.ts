import type { IncomingHttpHeaders } from "node:http";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/built-in-app-opening";
import { describe, expect, it } from "vitest";
import { createClientReader, visitorFrom as from, visitorKind } from "./visitor.ts";

const readClient = createClientReader(() => BUILT_IN_OPENING_TABLE);
const visitorFrom = (headers: IncomingHttpHeaders, url: string) => from(headers, url, readClient);

describe("visitorFrom", () => {
  it.each([
    ["/l/abc2345", ""],
    ["/l/abc2345?", ""],
    ["/l/abc2345?a=1&b=%20?c", "a=1&b=%20?c"],
  ])("reads the raw query of %s", (url, query) => {
    expect(visitorFrom({}, url).query).toBe(query);
  });

  it("reads the device from the agent, and a missing one as a bot's", () => {
    expect(visitorFrom({ "user-agent": "Mozilla/5.0 (iPhone; CPU)" }, "/").client.device).toBe(
      "ios",
    );
    expect(visitorFrom({}, "/").client.device).toBe("bot");
  });

  it.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { "sec-purpose": "prefetch;anonymous-client-ip" },
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
  ])("takes %o for a prefetch", (headers) => {
    expect(visitorFrom(headers, "/").isPrefetch).toBe(true);
  });

  it.each([{}, { "sec-purpose": "" }, { purpose: "navigate" }])(
    "takes %o for a person's tap",
    (headers) => {
      expect(visitorFrom(headers, "/").isPrefetch).toBe(false);
    },
  );

  it.each([
    ["/l/abc2345?tt_esc=1", true],
    ["/l/abc2345?utm_source=ig&tt_esc=1&x=y", true],
    ["/l/abc2345?tt_esc=10", false],
    ["/l/abc2345?x=tt_esc=1", false],
    ["/l/abc2345", false],
  ])("sees at %s whether our own way out of an app led here: %s", (url, isEscaped) => {
    expect(visitorFrom({}, url).isEscaped).toBe(isEscaped);
  });
});

describe("countedAs", () => {
  const iphone = { "user-agent": "Mozilla/5.0 (iPhone; CPU)" };

  it.each([
    ["a person's tap", iphone, "GET", "ios"],
    ["a person's browser that asks for headers alone", iphone, "HEAD", "bot"],
    ["a browser that fetches ahead", { ...iphone, "sec-purpose": "prefetch" }, "GET", "prefetch"],
    ["a crawler, however it asks", { "user-agent": "Twitterbot/1.0" }, "HEAD", "preview-crawler"],
    ["a library", { "user-agent": "curl/8.5.0", purpose: "prefetch" }, "GET", "http-library"],
    ["whoever gives no name", {}, "GET", "bot"],
  ])("counts %s", (_what, headers, method, expected) => {
    expect(visitorKind(visitorFrom(headers, "/l/abc2345"), method)).toBe(expected);
  });
});

describe("createClientReader", () => {
  const IPHONE_INSTAGRAM =
    "Mozilla/5.0 (iPhone) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5)";

  it("names the row and the version of the table", () => {
    expect(readClient(IPHONE_INSTAGRAM)).toMatchObject({
      device: "ios",
      app: "instagram",
      opening: { tableVersion: BUILT_IN_OPENING_TABLE.version, row: { id: "instagram-ios" } },
    });
  });

  it("reads an agent once, and again when the table has changed", () => {
    let table = BUILT_IN_OPENING_TABLE;
    const read = createClientReader(() => table);
    const before = read(IPHONE_INSTAGRAM);
    expect(read(IPHONE_INSTAGRAM)).toBe(before);

    table = {
      ...table,
      version: "next",
      rows: table.rows.filter(({ app }) => app !== "instagram"),
    };
    expect(read(IPHONE_INSTAGRAM).opening).toBeNull();
  });

  it("keeps no agent that is longer than any browser's", () => {
    const long = `Mozilla/5.0 (iPhone) ${"x".repeat(100_000)}`;
    expect(readClient(long)).not.toBe(readClient(long));
    expect(readClient(long)).toEqual(readClient(long));
  });
});
