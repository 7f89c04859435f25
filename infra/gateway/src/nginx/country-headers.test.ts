import { expect, it } from "vitest";
import { gatewayForTest } from "../testing/start-gateway.ts";

const SENT = {
  "CF-IPCountry": "DE",
  "cloudfront-viewer-country": "DE",
  "X-Fastly-Country-Code": "DE",
  "X-AppEngine-Country": "DE",
  "X-Vercel-IP-Country": "DE",
  "X-Own-Country": "DE",
  X_Own_Country: "DE",
  "X-Other": "DE",
};

/** The headers that are received with a country, of those that were sent. */
async function received(settings: Parameters<typeof gatewayForTest>[0], path: string) {
  const gateway = await gatewayForTest(settings);
  const headers = { ...SENT, "X-Forwarded-For": "203.0.113.9" };
  const { text } = await gateway.send(path, { headers });
  return Object.entries(JSON.parse(text).headers)
    .filter(([, value]) => value === "DE")
    .map(([name]) => name)
    .sort();
}

it.each([
  ["/l/abc2345", ["10.0.0.0/8"]],
  ["/api/visitor", ["10.0.0.0/8"]],
  ["/l/abc2345", []],
])(
  "a visitor without a trusted proxy cannot name a country on %s, with trusted proxies %j",
  async (path, trustedProxies) => {
    const settings = { countryHeader: "x-own-country", trustedProxies };
    expect(await received(settings, path)).toEqual(["x-other"]);
  },
);

it("a trusted proxy names the visitor's country", async () => {
  const settings = { countryHeader: "x-own-country", trustedProxies: ["127.0.0.0/8"] };
  expect(await received(settings, "/l/abc2345")).toEqual([
    "cf-ipcountry",
    "cloudfront-viewer-country",
    "x-appengine-country",
    "x-fastly-country-code",
    "x-other",
    "x-own-country",
    "x-vercel-ip-country",
  ]);
});
