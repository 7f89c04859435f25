import { once } from "node:events";
import { request as askHttp, type IncomingMessage } from "node:http";
import { request as askHttps } from "node:https";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AmazonStandIn, startAmazonStandIn } from "./stand-in.ts";

let standIn: AmazonStandIn;
beforeAll(async () => {
  standIn = await startAmazonStandIn();
});
afterAll(() => standIn.stop());

async function ask(host: string, path: string) {
  const request = askHttp(`${standIn.url}${path}`, { headers: { host } }).end();
  return read(((await once(request, "response")) as [IncomingMessage])[0]);
}

async function askOverTls(host: string, path: string) {
  const { httpsPort: port, certificate: ca } = standIn;
  const options = { host: "127.0.0.1", port, path, ca, servername: host, headers: { host } };
  const request = askHttps(options).end();
  return read(((await once(request, "response")) as [IncomingMessage])[0]);
}

async function read(response: IncomingMessage) {
  const { statusCode: status, headers } = response;
  return { status, headers, body: await text(response) };
}

describe("the stand-in", () => {
  it("shows a product page that names the ASIN and the whole address", async () => {
    const { status, body } = await ask("www.amazon.de", "/dp/B08N5WRWNW?tag=me-21&x=%3Cb%3E");
    expect(status).toBe(200);
    expect(body).toContain("<title>Stand-in product B08N5WRWNW : amazon.de</title>");
    expect(body).toContain("https://www.amazon.de/dp/B08N5WRWNW?tag=me-21&amp;x=%3Cb%3E");
    expect(body).toContain("https://m.media-amazon.com/images/I/B08N5WRWNW._AC_SL1500_.jpg");
  });

  it.each([
    ["www.amazon.com", "/shop/jane-doe", "Stand-in storefront jane-doe"],
    ["m.amazon.co.uk", "/s?k=lamp", "Stand-in page"],
  ])("shows a page for %s%s", async (host, path, title) => {
    expect(await ask(host, path)).toMatchObject({
      status: 200,
      body: expect.stringContaining(title),
    });
  });

  it("shows a product's picture", async () => {
    const { headers, body } = await ask("m.media-amazon.com", "/images/I/B08N5WRWNW.jpg");
    expect(headers["content-type"]).toBe("image/svg+xml");
    expect(body).toMatch(/^<svg/);
  });

  it("redirects its short links and knows no others", async () => {
    expect(await ask("www.amzn.to", "/3TapTru?x=1")).toMatchObject({
      status: 301,
      headers: {
        location: expect.stringMatching(/^https:\/\/www\.amazon\.com\/dp\/B0CX23V2ZK\?tag=/),
      },
    });
    expect(await ask("amzn.to", "/unknown")).toMatchObject({ status: 404 });
  });

  it("plays no other hosts", async () => {
    expect(await ask("evil.example", "/dp/B08N5WRWNW")).toMatchObject({ status: 404 });
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
    expect((await askOverTls(host, "/d/0AbCdEf")).status).toBeDefined();
  });

  it("keeps what it was asked", async () => {
    await askOverTls("amzn.to", "/3TapTru?x='1'");
    expect(standIn.requests.at(-1)).toMatchObject({
      host: "amzn.to",
      method: "GET",
      url: "/3TapTru?x='1'",
      headers: { host: "amzn.to" },
      serverName: "amzn.to",
    });
  });

  it("stops although a request hangs", async () => {
    const other = await startAmazonStandIn();
    const hanging = askHttp(`${other.url}/hanging`, { headers: { host: "amzn.to" } }).end();
    const hungUp = once(hanging, "error");
    await expect.poll(() => other.requests.length, { timeout: 10_000 }).toBe(1);
    await other.stop();
    expect(await hungUp).toMatchObject([{ code: "ECONNRESET" }]);
  });
});
