import { BROKEN_LINKS, GOOD_LINKS, NON_AMAZON_LINKS } from "@tapthru/amazon-stand-in/short-links";
import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { standInClient } from "./client.ts";
import { SafeFetchError } from "./errors.ts";
import { followShortLink } from "./follow-short-link.ts";
import { createGuardedFetch, type SafeFetch } from "./safe-fetch.ts";

const PRODUCT_URL = "https://www.amazon.com/dp/B0CX23V2ZK";

const standIn = await startAmazonStandIn();
afterAll(() => standIn.stop());
beforeEach(() => {
  standIn.requests.length = 0;
});

const follow = (url: string, deadlineMs?: number) =>
  followShortLink(createGuardedFetch(standInClient(standIn.url), "Tapthru-test", deadlineMs), url);
const requests = () => standIn.requests.map(({ method, host, url }) => `${method} ${host}${url}`);

const stubFetch =
  (responses: Record<string, { status?: number; location: string | null }>): SafeFetch =>
  async ({ url }) => {
    const response = responses[url];
    if (response === undefined) throw new SafeFetchError("unreachable");
    return {
      status: 301,
      contentType: null,
      retryAfter: null,
      body: { bytes: Buffer.of(), truncated: false },
      ...response,
    };
  };

describe("a valid link", () => {
  it.each(Object.keys(GOOD_LINKS))("https://%s leads to a store, which is not requested", async (link) => {
    const resolution = await follow(`https://${link}`);
    expect(resolution).toMatchObject({ kind: "resolved" });
    expect(requests()[0]).toBe(`GET ${link}`);
    expect(requests().join()).not.toContain(".amazon.");
  });

  it.each([
    ["amzn.to/3TapTru", `${PRODUCT_URL}?tag=tapthru-20&linkCode=ogi&th=1`],
    ["amzn.to/7BytesQ", `${PRODUCT_URL}?tag=tapthru-20&k=l'%C3%A9t%c3%a9+a%20b&x=~!()&x=&y`],
    ["amzn.to/8Utf8Lo", "https://www.amazon.fr/Été/dp/B08N5WRWNW?tag=tapthru-21"],
    ["amzn.to/9PlainH", `http://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20`],
    ["amzn.to/protRel", `${PRODUCT_URL}?tag=tapthru-20`],
    ["amzn.to/5ShopPg", "https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20"],
  ])("https://%s resolves to the address of the store, byte for byte", async (link, url) => {
    expect(await follow(`https://${link}`)).toEqual({ kind: "resolved", url });
  });

  it("follows a link across short-link hosts, over five hops", async () => {
    const url = `${PRODUCT_URL}?tag=tapthru-20`;
    expect(await follow("https://link.amazon/B0Tp7Hr2U")).toEqual({ kind: "resolved", url });
    expect(requests()).toEqual(["GET link.amazon/B0Tp7Hr2U", "GET amzlinks.in/B0Tp7Hr2U"]);
    expect(await follow("https://amzn.to/hops005")).toMatchObject({ kind: "resolved" });
    expect(requests()).toHaveLength(7);
  });

  it("requests a link over https with its query, even if pasted with http or in upper case", async () => {
    await follow("http://WWW.AMZN.TO/3TapTru?utm=a%20b");
    expect(requests()).toEqual(["GET www.amzn.to/3TapTru?utm=a%20b"]);
  });

  it("all hops have one deadline", async () => {
    const safeFetch = stubFetch({
      "https://amzn.to/x": { location: "/y" },
      "https://amzn.to/y": { location: PRODUCT_URL },
    });
    const deadlines = new Set<AbortSignal | undefined>();
    await followShortLink((request) => {
      deadlines.add(request.deadline);
      return safeFetch(request);
    }, "https://amzn.to/x");
    expect([...deadlines]).toEqual([expect.any(AbortSignal)]);
  });
});

describe("a link that leads elsewhere", () => {
  it.each(Object.keys(NON_AMAZON_LINKS))("https://%s is rejected", async (link) => {
    expect(await follow(`https://${link}`)).toEqual({ kind: "leads-elsewhere" });
    expect(requests().every((request) => request.startsWith("GET amzn.to/"))).toBe(true);
  });

  it.each([
    "\\\\www.amazon.com\\dp\\B0CX23V2ZK",
    "/\\www.amazon.com/dp/B0CX23V2ZK",
    "///www.amazon.com/dp/B0CX23V2ZK",
    "/",
    "https:/www.amazon.com/dp/B0CX23V2ZK",
    "https:www.amazon.com",
    "HTTPS://WWW.AMAZON.COM./dp/B0CX23V2ZK",
    "https://www.amazon.com/a b",
  ])("includes one that responds with Location: %s", async (location) => {
    const safeFetch = stubFetch({ "https://amzn.to/x": { location } });
    expect(await followShortLink(safeFetch, "https://amzn.to/x")).toEqual({ kind: "leads-elsewhere" });
  });
});

describe("a link with an invalid response", () => {
  const slow = ["hangs", "slow headers"];
  const broken = Object.entries(BROKEN_LINKS);
  const timesOut = ([, response]: (typeof broken)[number]) => "fault" in response && slow.includes(response.fault);

  it.each(broken.filter((link) => !timesOut(link)))("https://%s is a bad response", async (link) => {
    expect(await follow(`https://${link}`)).toMatchObject({ kind: "bad-response" });
    expect(requests().length).toBeLessThanOrEqual(5);
  });

  it.each(broken.filter(timesOut))("https://%s is too slow", async (link) => {
    expect(await follow(`https://${link}`, 100)).toMatchObject({ kind: "too-slow" });
  });

  it.each([
    [404, true],
    [410, true],
    [429, false],
    [503, false],
    [null, false],
  ])("fails permanently after %s: %s", async (status, permanent) => {
    const safeFetch = stubFetch(status === null ? {} : { "https://amzn.to/x": { status, location: null } });
    const reason = status === null ? "unreachable" : `status ${status}`;
    const expected = { kind: "bad-response", permanent, host: "amzn.to", reason };
    expect(await followShortLink(safeFetch, "https://amzn.to/x")).toEqual(expected);
  });
});

it.each([
  "https://www.amazon.de/errors/validateCaptcha?amzn=x&amzn-r=%2Fdp%2FB0CX23V2ZK",
  "http://amazon.com/-/es/errors/validateCaptcha",
  "https://www.amazon.co.jp/errors/500",
  "https://www.amazon.com/gp/errors/404.html",
])("a link that leads to %s, an error page of Amazon, fails for now", async (location) => {
  const safeFetch = stubFetch({ "https://amzn.eu/d/x": { status: 302, location } });
  const expected = { kind: "bad-response", permanent: false, host: "amzn.eu", reason: "error page" };
  expect(await followShortLink(safeFetch, "https://amzn.eu/d/x")).toEqual(expected);
});

it.each([
  "https://www.amazon.de/ap/signin?openid.return_to=https%3A%2F%2Fwww.amazon.de%2Fdp%2FB0CX23V2ZK",
  "https://www.amazon.com/ax/claim?arb=x",
  "https://www.amazon.com/ap/oa?redirect_uri=https%3A%2F%2Fshop.example",
  "https://evil.example/errors/validateCaptcha",
  "https://aws.amazon.com/errors/validateCaptcha",
])("a link that leads to %s, which signs in or is another site's, leads elsewhere", async (location) => {
  const safeFetch = stubFetch({ "https://amzn.eu/d/x": { status: 302, location } });
  expect(await followShortLink(safeFetch, "https://amzn.eu/d/x")).toEqual({ kind: "leads-elsewhere" });
});

it.each([PRODUCT_URL, "https://evil.example/x", "https://amzn.to/", "https://bit.ly/3TapTru", "", "amzn.to/x"])(
  "'%s' is not requested",
  async (url) => {
    expect(await follow(url)).toEqual({ kind: "not-short" });
    expect(requests()).toEqual([]);
  },
);
