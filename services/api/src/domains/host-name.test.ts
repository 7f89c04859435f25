import { ERRORS } from "@tapthru/proto/errors";
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
    ["", ERRORS["domain-refused"].message],
    ["anna", ERRORS["domain-refused"].message],
    ["go.anna.com:8443", ERRORS["domain-refused"].message],
    ["anna@mail.com", ERRORS["domain-refused"].message],
    ["*.anna.com", ERRORS["domain-refused"].message],
    [`${"a".repeat(64)}.com`, ERRORS["domain-refused"].message],
    ["0x7f.1", "Please enter a name. An IP address cannot be used."],
    ["[2001:db8::7]", "Please enter a name. An IP address cannot be used."],
    ["2001:db8::7", ERRORS["domain-refused"].message],
    ["localhost", "This name does not exist on the public internet."],
    ["go.localhost", "This name does not exist on the public internet."],
    ["api.cluster.internal", "This name does not exist on the public internet."],
    ["go.anna.example", "This name does not exist on the public internet."],
    ["links.anna.dev", "This name belongs to this site. Please enter a domain of your own."],
    ["go.links.anna.dev", "This name belongs to this site. Please enter a domain of your own."],
    ["anna.dev", "This name belongs to this site. Please enter a domain of your own."],
    ["co.uk", "This is an ending under which others register their domains. Please enter a domain of your own."],
    ["amazon.de", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
    [
      "go.amaz0n-deals.com",
      "This name is, or looks like, a name of Amazon or of this site. Please choose another one.",
    ],
    ["arnazon.shop", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
    ["аmаzоn.com", "This name mixes letters of several scripts, and could be mistaken for another one."],
    ["ämazon.com", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
    ["tapthru.app", "This name is, or looks like, a name of Amazon or of this site. Please choose another one."],
    ["go.pаypal.com", "This name mixes letters of several scripts, and could be mistaken for another one."],
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
