import { describe, expect, it } from "vitest";
import { parseStorePage } from "./amazon-url.ts";
import { AMAZON_HOSTS, findStore, SITE_LINK } from "./hosts.ts";

describe("the script of other sites changes", () => {
  it("links to every store, and none to Amazon's short hosts, which /go does not open", () => {
    for (const host of AMAZON_HOSTS)
      expect([host, SITE_LINK.test(`https://${host}/dp/B0ZZ1Y2X3W`)]).toEqual([host, findStore(host) !== null]);
  });

  it.each([
    "amazon.com.evil.example",
    "evilamazon.com",
    "amazon.evil.example",
    "amazonxcom",
    "smile.www.amazon.com",
    "me@amazon.com",
    "amazon.com:8080",
    "evil.example/https://amazon.com",
  ])("no links to %s", (host) => {
    expect(SITE_LINK.test(`https://${host}/dp/B0ZZ1Y2X3W`)).toBe(false);
  });

  it.each([`x=${"x".repeat(4_096)}`, "x=\\"])("no link with a query that /go does not read: %.9s", (query) => {
    const url = `https://www.amazon.com/dp/B0ZZ1Y2X3W?${query}`;
    expect([SITE_LINK.test(url), parseStorePage(url)]).toEqual([false, null]);
  });

  it.each([
    "/dp/B0ZZ1Y2X3W?tag=me-20",
    "/",
    "/s?k=lamp",
    "/gp/product/B0ZZ1Y2X3W",
    "/shop/anna",
    "/-/en/dp/B0ZZ1Y2X3W",
    "/gp/r.htmlx/B0ZZ1Y2X3W",
    "/Lamp/dp/B0ZZ1Y2X3W/ref=ap_1",
  ])("a link to %s, which /go opens", (path) => {
    const url = `http://www.amazon.co.uk${path}`;
    expect([SITE_LINK.test(url), parseStorePage(url) !== null]).toEqual([true, true]);
  });

  it.each([
    "/gp/redirect.html?location=x",
    "/-/en/ap/signin",
    "/sspa/click?url=%2Fdp%2FB0ZZ1Y2X3W",
    "/gp/r.html",
    "/ax/claim",
    "/gp/sign-in.html",
    "/gp/flex/sign-out",
    "/exec/obidos/redirect-home/me-20",
    "/gp/aw/rd.html",
  ])("no link to %s, which may be refused", (path) => {
    expect(SITE_LINK.test(`https://www.amazon.com${path}`)).toBe(false);
  });
});
