import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { join } from "node:path";
import { connect } from "node:tls";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { describe, expect, it } from "vitest";
import { type RequestOptions, sendRequest } from "./testing/send-request.ts";
import { createCertificates, gatewayForTest, sharedGateway } from "./testing/start-gateway.ts";

const SITE = "links.example";
const OWN = "go.anna.example";

const certificates = await createCertificates(SITE, OWN, "hsts.anna.example");
const { directory, ca } = certificates;
await writeFile(join(directory, "hsts.anna.example.hsts"), "");
const port = await freePort();
const gateway = await sharedGateway({ TLS: "on", TLS_PORT: port, CERTIFICATES_DIR: directory });

/** The server name of the handshake is by default the host. */
const send = (host: string, path: string, { headers, ...options }: RequestOptions = {}) =>
  sendRequest(`https://127.0.0.1:${port}${path}`, {
    servername: host,
    ca,
    headers: { Host: host, ...headers },
    ...options,
  });

const http = (host: string, path: string) => gateway.send(path, { headers: { Host: host } });

it("a challenge of the certificate authority may be redirected to https of the site", async () => {
  expect((await send(SITE, "/.well-known/acme-challenge/token")).text).toContain('"api"');
});

describe("a handshake", () => {
  it.each([SITE, OWN])("gets the certificate of its server name: %s", async (host) => {
    const socket = connect({ port, servername: host, ca });
    await once(socket, "secureConnect");
    expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${host}`);
    socket.destroy();
  });

  it("needs no reload for a new file, and fails without one", async () => {
    await expect(send("new.anna.example", "/")).rejects.toThrow();
    await certificates.write("new.anna.example");
    expect((await send("new.anna.example", "/")).status).toBe(200);
  });

  it.each(["", `${OWN}/../${SITE}`])("fails for a server name that is no host: %j", async (servername) => {
    const socket = connect({ port, servername, ca });
    await expect(once(socket, "secureConnect")).rejects.toThrow();
    expect(gateway.errorLog()).toBe("");
  });

  it("offers HTTP/2 and refuses TLS 1.1", async () => {
    const client = connectHttp2(`https://${OWN}:${port}`, {
      ca,
      lookup: (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const stream = client.request({ ":path": "/mug", ":authority": OWN });
    const [headers] = await once(stream, "response");
    expect(headers[":status"]).toBe(200);
    client.destroy();
    const old = connect({
      port,
      servername: OWN,
      ca,
      minVersion: "TLSv1.1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    await expect(once(old, "secureConnect")).rejects.toThrow(/protocol version/);
  });
});

describe("an own domain", () => {
  it.each(["/", "/l/mug", "/api/login", "/a%2Fb//c?tag=a%26b"])(
    "passes %s to the redirect, with its host in the path",
    async (path) => {
      const { status, text } = await send(OWN, path);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({
        service: "redirect",
        url: `/d/${OWN}${path}`,
        headers: { host: SITE, "x-forwarded-proto": "https" },
      });
    },
  );

  it("passes the page's report to the redirect", async () => {
    const { text } = await send(OWN, "/mug/outcome", { method: "POST", body: "{}" });
    expect(JSON.parse(text)).toMatchObject({ service: "redirect", url: `/d/${OWN}/mug/outcome` });
    expect((await send(OWN, "/mug", { method: "POST" })).status).toBe(405);
  });

  it("passes no cookie and no token on, which the site's host does", async () => {
    const headers = { Cookie: "session=x", Authorization: "Bearer x" };
    const { headers: own } = JSON.parse((await send(OWN, "/mug", { headers })).text);
    const { headers: site } = JSON.parse((await send(SITE, "/api/x", { headers })).text);
    expect(own).not.toHaveProperty("cookie");
    expect(own).not.toHaveProperty("authorization");
    expect(site).toMatchObject({ cookie: "session=x", authorization: "Bearer x" });
  });

  it.each(["/favicon.ico", "/_errors/502.html"])("responds to %s with 404 and a link to the site", async (path) => {
    const { status, text, headers } = await send(OWN, path);
    expect(status).toBe(404);
    expect(text).toContain(`href="https://${SITE}/"`);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("has a robots.txt of its own", async () => {
    expect((await send(OWN, "/robots.txt")).text).toBe("User-agent: *\nAllow: /\n");
  });

  it("has HSTS only if its file says so; the site's host always", async () => {
    const hstsOf = async (host: string) => (await send(host, "/mug")).headers["strict-transport-security"];
    expect(await hstsOf(OWN)).toBeUndefined();
    expect(await hstsOf("hsts.anna.example")).toBe("max-age=31536000");
    expect(await hstsOf(SITE)).toBe("max-age=31536000");
  });

  it.each([
    [OWN, SITE],
    [SITE, OWN],
  ])("is not served on a connection to another host: %s on %s", async (host, servername) => {
    expect((await send(host, "/mug", { servername })).status).toBe(421);
  });
});

describe("http", () => {
  it.each([
    [SITE, `https://${SITE}/mug?x=1`],
    [OWN, `https://${OWN}/mug?x=1`],
  ])("leads %s to https", async (host, location) => {
    expect(await http(host, "/mug?x=1")).toMatchObject({ status: 301, headers: { location } });
  });

  it("is 404 for other hosts, apart from the health check", async () => {
    expect((await http("other.example", "/mug")).status).toBe(404);
    expect((await http("10.0.0.7", "/version.txt")).status).toBe(200);
  });

  it.each([SITE, OWN, "other.example"])("passes challenges for %s to the api", async (host) => {
    const url = "/.well-known/acme-challenge/abc";
    const received = await gateway.received(url, { headers: { Host: host } });
    expect(received).toMatchObject({ service: "api", url, headers: { host: SITE } });
  });
});

it("the log has the host", async () => {
  await send(OWN, "/logged");
  await expect
    .poll(async () => (await gateway.accessLog(1)).map((line) => JSON.parse(line)), { timeout: 30_000 })
    .toContainEqual(expect.objectContaining({ host: OWN, path: "/logged", status: 200 }));
});

it("a site without https stays on http for each host, and own domains are on https", async () => {
  const tls = { TLS: "on", TLS_PORT: await freePort(), CERTIFICATES_DIR: directory } as const;
  const local = await gatewayForTest({ PUBLIC_BASE_URL: "http://localhost:8080", ...tls });
  const get = (host: string, path: string) => local.send(path, { headers: { Host: host } });
  expect((await get("other.example", "/")).text).toContain("Home of Tapthru");
  expect((await get(OWN, "/mug")).headers.location).toBe(`https://${OWN}/mug`);
  const challenge = await get(OWN, "/.well-known/acme-challenge/abc");
  expect(JSON.parse(challenge.text).service).toBe("api");
});
