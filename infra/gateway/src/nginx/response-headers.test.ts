import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GatewaySettings } from "../settings.ts";
import { type RequestOptions, sendRequest } from "../testing/send-request.ts";
import { gatewayForTest, gatewayOfService, sharedGateway } from "../testing/start-gateway.ts";

const gateway = sharedGateway();

const SECURITY_HEADERS = {
  "cross-origin-opener-policy": ["same-origin"],
  "cross-origin-resource-policy": [expect.stringMatching(/^(same|cross)-origin$/)],
  "permissions-policy": [expect.stringContaining("camera=()")],
  "referrer-policy": ["strict-origin-when-cross-origin"],
  "strict-transport-security": ["max-age=31536000"],
  "x-content-type-options": ["nosniff"],
  "x-request-id": [expect.stringMatching(/^[0-9a-f]{32}$/)],
  "cache-control": [expect.any(String)],
};

const responses: [string, number, RequestOptions?][] = [
  ["/", 200],
  ["/dashboard", 200],
  ["/assets/app-B3c9.js", 200],
  ["/assets/gone.js", 404],
  ["/version.txt", 200],
  ["/config.json", 200],
  ["/robots.txt", 200],
  ["/favicon.svg", 200],
  ["/.env", 404],
  ["/", 405, { method: "POST" }],
  ["/%zz", 400],
  ["/", 431, { headers: { cookie: "c".repeat(40_000) } }],
  ["/api/visitor", 200],
  ["/api/visitor", 413, { method: "POST", body: "b".repeat(20_000) }],
  ["/l/abc2345", 405, { method: "DELETE" }],
];

describe("every response", () => {
  it.each(responses)("has each security header once: %s %i", async (path, status, options) => {
    const response = await gateway().send(path, options);

    expect(response.status).toBe(status);
    expect(response.headerLines).toMatchObject({
      ...SECURITY_HEADERS,
      "content-security-policy": [expect.stringContaining("frame-ancestors 'none'")],
    });
    expect(response.headers["content-security-policy"]).not.toContain("unsafe");
  });

  it.each([302, 304, 204])("has the security headers without a body too: %i", async (status) => {
    const service = await gatewayOfService((_request, response) => response.writeHead(status).end());

    for (const path of ["/l/abc2345", "/api/visitor"]) {
      expect((await service.send(path)).headerLines).toMatchObject({
        ...SECURITY_HEADERS,
        "content-security-policy": ["default-src 'none'; frame-ancestors 'none'"],
      });
    }
  });

  it.each([
    ["/", "same-origin"],
    ["/config.json", "same-origin"],
    ["/assets/app-B3c9.js", "same-origin"],
    ["/api/visitor", "same-origin"],
    ["/l/abc2345", "cross-origin"],
    ["/favicon.svg", "cross-origin"],
  ])("of %s has the cross-origin resource policy %s", async (path, policy) => {
    const { headers } = await gateway().send(path);

    expect(headers["cross-origin-resource-policy"]).toBe(policy);
  });

  it("has the security headers with status 304 too", async () => {
    const url = `${gateway().url}/assets/app-B3c9.js`;
    const { headers } = await sendRequest(url);
    const response = await sendRequest(url, { headers: { "If-None-Match": headers.etag } });

    expect(response.status).toBe(304);
    expect(response.headerLines).toMatchObject({
      ...SECURITY_HEADERS,
      "content-security-policy": [expect.stringContaining("frame-ancestors 'none'")],
    });
  });

  it("does not reveal nginx's version", async () => {
    expect((await gateway().send("/")).headers.server).toBe("nginx");
  });

  it("has Strict-Transport-Security only if the site uses https", async () => {
    const plain = await gatewayForTest({ publicBaseUrl: "http://localhost:8080" });

    const { headers } = await plain.send("/");

    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("has Strict-Transport-Security for the configured time", async () => {
    const short = await gatewayForTest({ hstsMaxAge: 0 });

    expect((await short.send("/")).headers["strict-transport-security"]).toBe("max-age=0");
  });
});

it("keeps headers that a service sets", async () => {
  const serviceHeaders = {
    "Cache-Control": "private, max-age=1",
    "Content-Security-Policy": "default-src 'self'",
    "Cross-Origin-Opener-Policy": "unsafe-none",
    "Cross-Origin-Resource-Policy": "same-site",
    "Permissions-Policy": "usb=()",
    "Referrer-Policy": "origin",
    "Strict-Transport-Security": "max-age=1",
    "X-Content-Type-Options": "nosniff",
  };
  const service = await gatewayOfService((_request, response) => response.writeHead(200, serviceHeaders).end());

  for (const path of ["/api/visitor", "/l/abc2345"]) {
    const { headerLines } = await service.send(path);

    for (const [name, value] of Object.entries(serviceHeaders)) {
      expect(headerLines[name.toLowerCase()]).toEqual([value]);
    }
  }
});

it("has no headers of files on a short link, even if its code ends like a compressed file", async () => {
  const { headers } = await gateway().send("/l/abc2345.br");

  expect(headers).not.toHaveProperty("content-encoding");
  expect(headers).not.toHaveProperty("vary");
});

it("the policy of the SPA allows the page's inline script by its hash, and no other", async () => {
  const { headers, text } = await gateway().send("/");
  const script = text.slice(text.indexOf("<script>") + 8, text.indexOf("</script>"));
  const hash = createHash("sha256").update(script).digest("base64");

  expect(String(headers["content-security-policy"]).split("; ")).toContain(`script-src 'self' 'sha256-${hash}'`);
});

describe("the policy of the SPA allows", () => {
  const sourcesOf = async (directive: string, settings: Partial<GatewaySettings>) => {
    const { headers } = await (await gatewayForTest(settings)).send("/");
    const directives = String(headers["content-security-policy"]).split("; ");
    return directives.find((one) => one.startsWith(`${directive} `));
  };

  it("requests to Google only with a Firebase project", async () => {
    const firebaseWebConfig = { apiKey: "key" };
    expect(await sourcesOf("connect-src", {})).toBe("connect-src 'self'");
    expect(await sourcesOf("connect-src", { firebaseWebConfig })).toBe(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
    );
  });

  it("the icon of the OpenID provider", async () => {
    const openIdConnect = { name: "Acme", iconUrl: "https://cdn.acme.example/icon.svg" };
    const login = { signUp: "open", hasPasswordLogin: true, openIdConnect } as const;
    expect(await sourcesOf("img-src", { login })).toMatch(/ https:\/\/cdn[.]acme[.]example$/);
  });
});
