import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AmazonStandIn, startAmazonStandIn } from "./stand-in.ts";

let standIn: AmazonStandIn;
beforeAll(async () => {
  standIn = await startAmazonStandIn();
});
afterAll(() => standIn.stop());

async function get(host: string, path: string) {
  const request = requestHttp(`${standIn.url}${path}`, { headers: { host } }).end();
  return read(((await once(request, "response")) as [IncomingMessage])[0]);
}

async function requestOverTls(host: string, path: string) {
  const { httpsPort: port, certificate: ca } = standIn;
  const options = { host: "127.0.0.1", port, path, ca, servername: host, headers: { host } };
  const request = requestHttps(options).end();
  return read(((await once(request, "response")) as [IncomingMessage])[0]);
}

async function read(response: IncomingMessage) {
  const { statusCode: status, headers } = response;
  return { status, headers, body: await text(response) };
}

describe("the stand-in", () => {
  it("serves a product page with the ASIN and the whole address", async () => {
    const { status, body } = await get("www.amazon.de", "/dp/B08N5WRWNW?tag=me-21&x=%3Cb%3E");
    expect(status).toBe(200);
    expect(body).toContain("<title>Stand-in product B08N5WRWNW : amazon.de</title>");
    expect(body).toContain("https://www.amazon.de/dp/B08N5WRWNW?tag=me-21&amp;x=%3Cb%3E");
    expect(body).toContain("https://m.media-amazon.com/images/I/B08N5WRWNW._AC_SL1500_.jpg");
  });

  it.each([
    ["www.amazon.com", "/shop/jane-doe", "Stand-in storefront jane-doe"],
    ["m.amazon.co.uk", "/s?k=lamp", "Stand-in page"],
  ])("serves a page for %s%s", async (host, path, title) => {
    expect(await get(host, path)).toMatchObject({
      status: 200,
      body: expect.stringContaining(title),
    });
  });

  it("serves a product image", async () => {
    const { headers, body } = await get("m.media-amazon.com", "/images/I/B08N5WRWNW.jpg");
    expect(headers["content-type"]).toBe("image/svg+xml");
    expect(body).toMatch(/^<svg/);
  });

  it("redirects its short links and responds 404 to others", async () => {
    expect(await get("www.amzn.to", "/3TapTru?x=1")).toMatchObject({
      status: 301,
      headers: {
        location: expect.stringMatching(/^https:\/\/www\.amazon\.com\/dp\/B0CX23V2ZK\?tag=/),
      },
    });
    expect(await get("amzn.to", "/unknown")).toMatchObject({ status: 404 });
  });

  it("responds 404 for other hosts", async () => {
    expect(await get("evil.example", "/dp/B08N5WRWNW")).toMatchObject({ status: 404 });
  });

  it.each([
    "www.amazon.com",
    "amazon.co.jp",
    "m.amazon.com.br",
    "amzn.to",
    "www.a.co",
    "m.media-amazon.com",
    "eu.account.amazon.com",
  ])("has a certificate for %s", async (host) => {
    expect((await requestOverTls(host, "/d/0AbCdEf")).status).toBeDefined();
  });

  it("records requests", async () => {
    await requestOverTls("amzn.to", "/3TapTru?x='1'");
    expect(standIn.requests.at(-1)).toMatchObject({
      host: "amzn.to",
      method: "GET",
      url: "/3TapTru?x='1'",
      headers: { host: "amzn.to" },
      serverName: "amzn.to",
    });
  });

  it("stops while a request hangs", async () => {
    const other = await startAmazonStandIn();
    const hanging = requestHttp(`${other.url}/hanging`, { headers: { host: "amzn.to" } }).end();
    const closed = once(hanging, "error");
    await expect.poll(() => other.requests.length, { timeout: 10_000 }).toBe(1);
    await other.stop();
    expect(await closed).toMatchObject([{ code: "ECONNRESET" }]);
  });
});
