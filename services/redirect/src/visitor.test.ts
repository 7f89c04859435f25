import { describe, expect, it } from "vitest";
import { visitorFrom } from "./visitor.ts";

describe("visitorFrom", () => {
  it.each([
    ["/l/abc2345", ""],
    ["/l/abc2345?", ""],
    ["/l/abc2345?a=1&b=%20?c", "a=1&b=%20?c"],
  ])("reads the raw query of %s", (url, query) => {
    expect(visitorFrom({}, url).query).toBe(query);
  });

  it("reads the device from the agent, and a missing one as a bot's", () => {
    expect(visitorFrom({ "user-agent": "Mozilla/5.0 (iPhone; CPU)" }, "/").device).toBe("ios");
    expect(visitorFrom({}, "/").device).toBe("bot");
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
});
