import { createHash } from "node:crypto";
import { ERRORS } from "@tapthru/proto/errors";
import { PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { describe, expect, it } from "vitest";
import type { RequestOptions } from "./testing/send-request.ts";
import { gatewayOfService, type RunningGateway, sharedGateway } from "./testing/start-gateway.ts";
import { UNREACHABLE_ADDRESS } from "./testing/upstream.ts";

const gateway = await sharedGateway({
  api: [UNREACHABLE_ADDRESS],
  redirect: [UNREACHABLE_ADDRESS],
  PRODUCT_NAME: "Tap & <thru>",
});

const errors: [string, number, RequestOptions?][] = [
  ["an unavailable service", 502],
  ["a body that is too large", 413, { method: "POST", body: "b".repeat(20_000) }],
  ["a method that is not allowed", 405, { method: "TRACE" }],
];

describe("an error of the gateway", () => {
  it("links to the home page with the product's name, as text", async () => {
    const link = '<a href="https://links.example/">Go to Tap &amp; &lt;thru&gt;</a>';
    expect((await gateway.send("/l/abc2345")).text).toContain(link);
  });

  it.each(errors)("has a stable code for clients that accept problem details: %s", async (_title, status, options) => {
    const headers = { accept: "application/json, application/problem+json" };
    const response = await gateway.send("/api/generate", { ...options, headers });
    expect(response.headers["content-type"]).toMatch(/^application\/problem\+json/);
    const { title, code } = JSON.parse(response.text);
    expect(ERRORS).toMatchObject({ [code]: { status, message: title } });
  });

  it("a page of another site that sends an API key and no cookie may read the error", async () => {
    const key = { origin: "https://other.example", authorization: "Bearer tt_x" };
    const allowed = async (path: string, options: RequestOptions) => {
      const { headers } = await gateway.send(path, options);
      return ["allow-origin", "expose-headers", "allow-credentials"].map((name) => headers[`access-control-${name}`]);
    };
    const readable = ["*", "*", undefined];
    expect(await allowed("/api/links", { headers: key })).toEqual(readable);
    const body = "b".repeat(20_000);
    expect(await allowed("/api/generate", { method: "POST", headers: key, body })).toEqual(readable);
    for (const [path, headers] of [
      ["/api/links", { ...key, cookie: "session=x" }],
      ["/api/links", { ...key, authorization: "Bearer a.b.c" }],
      ["/api/links", { origin: key.origin }],
      ["/l/abc2345", key],
    ] as const) {
      expect(await allowed(path, { headers })).toEqual([undefined, undefined, undefined]);
    }
  });

  it("is a page if a browser opens an address under /api, such as an unsubscribe link", async () => {
    const headers = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
    expect(await gateway.send("/api/unsubscribe?token=x", { headers })).toMatchObject({
      status: 502,
      headers: { "content-type": "text/html; charset=utf-8", "retry-after": "5" },
      text: expect.stringContaining("<h1>We'll be right back</h1>"),
    });
  });

  it.each([
    [undefined, "en", "We'll be right back"],
    ["de", "de", "Wir sind gleich wieder da"],
    ["xx-YY, den;q=0.9, FR-ca;q=0.8, en;q=0.7", "fr", PAGE_MESSAGES.fr.linkUnavailable.heading],
    ["ar", "ar", PAGE_MESSAGES.ar.linkUnavailable.heading],
    [",,,", "en", "We'll be right back"],
  ])("an error of a short link is in a language of the visitor: %s", async (accepted, language, heading) => {
    const headers: Record<string, string> = accepted ? { "accept-language": accepted } : {};
    const response = await gateway.send("/l/abc2345", { headers });
    const { text } = response;
    expect(response).toMatchObject({ status: 502, headers: { "retry-after": "5" } });
    expect(text).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`);
    expect(text).toContain(`<h1>${heading}</h1>`);
    const site = await gateway.send("/api/unsubscribe", { headers: { ...headers, accept: "text/html" } });
    expect(site.text).toContain('<html lang="en"');
  });

  it("has no Retry-After if a retry would not help", async () => {
    const { headers } = await gateway.send("/api/generate", { headers: { cookie: "c".repeat(40_000) } });
    expect(headers["retry-after"]).toBeUndefined();
  });

  it("has a policy that allows its style and no script", async () => {
    const { headers, text } = await gateway.send("/l/abc2345");
    const style = text.slice(text.indexOf("<style>") + "<style>".length, text.indexOf("</style>"));
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toContain("script-src");
  });

  it.each([
    ["POST", "/", "GET, HEAD"],
    ["POST", "/l/abc2345", "GET, HEAD"],
    ["POST", "/l/abc2345/outcome/x", "GET, HEAD"],
    ["GET", "/l/abc2345/outcome", "POST"],
    ["TRACE", "/api/generate", "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE"],
    ["QUERY", "/.well-known/oauth-protected-resource/api/mcp", "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE"],
  ])("lists the allowed methods in the 405 of %s %s", async (method, path, allow) => {
    const { status, headers } = await gateway.send(path, { method });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
  });
});

describe.each([
  ["/api/links/bulk", 1_000_000],
  ["/api/earnings/imports", 10_000_000],
])("a request to %s with a body that is larger than every buffer", (path, bytes) => {
  const send = (service: RunningGateway) => service.send(path, { method: "POST", body: "b".repeat(bytes) });
  const retryLater = {
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "5" },
    text: `${ERRORS.unavailable.message}\n`,
  };

  it("responds with 502 while its service is down", async () => {
    expect(await send(gateway)).toMatchObject({ status: 502, ...retryLater });
  });

  it("responds with 502 if its service exits meanwhile", async () => {
    const service = await gatewayOfService((request) => {
      request.once("data", () => request.socket.destroy());
    });
    expect(await send(service)).toMatchObject({ status: 502, ...retryLater });
  });
});

const RATE_LIMIT_POLICY = '"otherApi-address";q=600;w=60, "otherApi-caller";q=600;w=60';
const RATE_LIMIT = '"otherApi-address";r=0;t=9, "otherApi-caller";r=599;t=60';

it.each([404, 413, 429, 502, 503])("an error of a service is passed on unchanged: %i", async (status) => {
  const service = await gatewayOfService((_request, response) => {
    const limits = { "RateLimit-Policy": RATE_LIMIT_POLICY, RateLimit: RATE_LIMIT };
    response.writeHead(status, { "Content-Type": "text/plain", "Retry-After": "120", ...limits });
    response.end("A message of the service.");
  });
  for (const path of ["/api/generate", "/l/abc2345"]) {
    const response = await service.send(path);
    expect(response).toMatchObject({ status, text: "A message of the service." });
    expect(response.headerLines).toMatchObject({
      "retry-after": ["120"],
      "ratelimit-policy": [RATE_LIMIT_POLICY],
      ratelimit: [RATE_LIMIT],
    });
  }
});
