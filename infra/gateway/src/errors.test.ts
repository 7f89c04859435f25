import { createHash } from "node:crypto";
import { ERRORS } from "@tapthru/proto/rules/errors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask, type Question } from "./testing/ask.ts";
import { type RunningGateway, startGateway } from "./testing/start-gateway.ts";
import { startUpstream, UNREACHABLE_ADDRESS } from "./testing/upstream.ts";

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({
    api: [UNREACHABLE_ADDRESS],
    redirect: [UNREACHABLE_ADDRESS],
    productName: "Tap & <thru>",
  });
});
afterAll(() => gateway.stop());

const HUGE_HEADER = { headers: { cookie: "c".repeat(40_000) } };
const HUGE_QUERY = `?${"q".repeat(40_000)}`;

const errors: [string, number, string, Question?][] = [
  ["a service that is away", 502, ""],
  ["a header that is too large", 431, "", HUGE_HEADER],
  ["an address that is too long", 414, HUGE_QUERY],
  ["a body that is too large", 413, "", { method: "POST", body: "b".repeat(20_000) }],
  ["a malformed address", 400, "/%zz"],
  ["a method nobody has", 405, "", { method: "TRACE" }],
];

describe("an error of the gateway itself", () => {
  it.each(errors)("is one plain sentence under /api: %s", async (_what, status, rest, question) => {
    const answer = await ask(`${gateway.url}/api/generate${rest}`, question);

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(answer.text).toMatch(/^[A-Z][^<>]+\.\n$/);
  });

  // Where nginx could not read the headers, it does not know the format.
  it.each(errors.filter(([, status]) => [405, 413, 502].includes(status)))(
    "has a stable code for clients that accept a problem: %s",
    async (_what, status, rest, question) => {
      const headers = {
        ...question?.headers,
        accept: "application/json, application/problem+json",
      };
      const answer = await ask(`${gateway.url}/api/generate${rest}`, { ...question, headers });

      expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
      const { title, code } = JSON.parse(answer.text);
      expect(ERRORS).toMatchObject({ [code]: { status, message: title } });
    },
  );

  it.each(errors)(
    "is a page with a way home elsewhere: %s",
    async (_what, status, rest, question) => {
      const answer = await ask(`${gateway.url}/l/abc2345${rest}`, question);

      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
      });
      expect(answer.text).toContain('<a href="/">Go to Tap &amp; &lt;thru&gt;</a>');
    },
  );

  it.each(["/api/generate", "/l/abc2345"])("says on %s when to come back", async (path) => {
    expect((await ask(`${gateway.url}${path}`)).headers["retry-after"]).toBe("5");
  });

  it("says nothing of coming back where that would not help", async () => {
    const { headers } = await ask(`${gateway.url}/api/generate`, HUGE_HEADER);

    expect(headers["retry-after"]).toBeUndefined();
  });

  it("shows its style under its own policy, and allows no script", async () => {
    const { headers, text } = await ask(`${gateway.url}/l/abc2345`);
    const style = text.slice(text.indexOf("<style>") + "<style>".length, text.indexOf("</style>"));
    const hash = createHash("sha256").update(style).digest("base64");

    expect(headers["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toContain("script-src");
  });

  it.each([
    ["POST", "/", "GET, HEAD"],
    ["DELETE", "/dashboard", "GET, HEAD"],
    ["PUT", "/assets/app-B3c9.js", "GET, HEAD"],
    ["POST", "/config.json", "GET, HEAD"],
    ["POST", "/l/abc2345", "GET, HEAD"],
    ["DELETE", "/l/abc2345", "GET, HEAD"],
    ["OPTIONS", "/l/abc2345", "GET, HEAD"],
    ["POST", "/l/abc2345/outcome/x", "GET, HEAD"],
    ["GET", "/l/abc2345/outcome", "POST"],
    ["PUT", "/l/abc2345/outcome?x", "POST"],
  ])("names what is allowed where %s %s is not", async (method, path, allow) => {
    const { status, headers } = await ask(`${gateway.url}${path}`, { method });

    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
  });
});

it("refuses methods that no service knows, before they reach one", async () => {
  const { status, headers, text } = await ask(`${gateway.url}/api/generate`, { method: "PURGE" });

  expect(status).toBe(501);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(text).toBe("The request uses something this server does not offer.\n");
});

describe("an error of a service", () => {
  it.each([404, 405, 410, 413, 429, 500, 502, 503, 504])("passes untouched: %i", async (status) => {
    const service = await startUpstream((_request, response) => {
      response.writeHead(status, { "Content-Type": "text/plain", "Retry-After": "120" });
      response.end("The service's own words.");
    });
    onTestFinished(service.stop);
    const own = await startGateway({ api: [service.address], redirect: [service.address] });
    onTestFinished(own.stop);

    for (const path of ["/api/generate", "/l/abc2345"]) {
      const answer = await ask(`${own.url}${path}`);

      expect(answer).toMatchObject({ status, text: "The service's own words." });
      expect(answer.headerLines["retry-after"]).toEqual(["120"]);
    }
  });
});
