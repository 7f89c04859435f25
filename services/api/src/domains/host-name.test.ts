import { messages } from "@tapthru/proto/rules/messages";
import { describe, expect, it } from "vitest";
import { isApex, readHostName } from "./host-name.ts";

const site = { siteHost: "links.anna.dev", allowsTestNames: false };
const read = (text: string) => {
  try {
    return readHostName(text, site);
  } catch (error) {
    return (error as Error).message;
  }
};

describe("the name of a domain", () => {
  it.each([
    ["go.anna.com", "go.anna.com"],
    [" GO.Anna.COM. ", "go.anna.com"],
    ["https://go.anna.com/mug?a=1", "go.anna.com"],
    ["2026.anna.com", "2026.anna.com"],
    ["bücher.de", "xn--bcher-kva.de"],
    ["ссылка.рф", "xn--80atcxa4d.xn--p1ai"],
    ["リンク短縮.jp", "xn--pck6f1a0917dzsg.jp"],
    ["anna.github.io", "anna.github.io"],
    ["amazing-finds.co.uk", "amazing-finds.co.uk"],
  ])("%j is %s", (text, host) => {
    expect(read(text)).toBe(host);
  });

  it.each([
    ["", messages.domainMalformed],
    ["anna", messages.domainMalformed],
    ["go.anna.com:8443", messages.domainMalformed],
    ["anna@mail.com", messages.domainMalformed],
    ["*.anna.com", messages.domainMalformed],
    [`${"a".repeat(64)}.com`, messages.domainMalformed],
    ["0x7f.1", messages.domainIsAddress],
    ["[2001:db8::7]", messages.domainIsAddress],
    ["2001:db8::7", messages.domainMalformed],
    ["localhost", messages.domainIsInternal],
    ["go.localhost", messages.domainIsInternal],
    ["api.cluster.internal", messages.domainIsInternal],
    ["go.anna.example", messages.domainIsInternal],
    ["links.anna.dev", messages.domainIsOfSite],
    ["go.links.anna.dev", messages.domainIsOfSite],
    ["anna.dev", messages.domainIsOfSite],
    ["co.uk", messages.domainIsPublicSuffix],
    ["amazon.de", messages.domainLooksLikeOther],
    ["go.amaz0n-deals.com", messages.domainLooksLikeOther],
    ["arnazon.shop", messages.domainLooksLikeOther],
    ["аmаzоn.com", messages.domainMixesScripts],
    ["ämazon.com", messages.domainLooksLikeOther],
    ["tapthru.app", messages.domainLooksLikeOther],
    ["go.pаypal.com", messages.domainMixesScripts],
  ])("%j is refused", (text, message) => {
    expect(read(text)).toBe(message);
  });

  it("may have an ending for tests on a developer's machine", () => {
    expect(readHostName("go.anna.example", { ...site, allowsTestNames: true })).toBe("go.anna.example");
  });
});

it("knows which names are registered, and can have no CNAME", () => {
  expect(["anna.com", "anna.co.uk", "anna.github.io"].map(isApex)).toEqual([true, true, true]);
  expect(["go.anna.com", "www.anna.co.uk"].map(isApex)).toEqual([false, false]);
});
