import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startWorld } from "./testing/start-world.ts";
import { CRAWLER, DESKTOP, IPHONE, liveRecord, newCode } from "./testing/test-service.ts";
import { requestedCode } from "./visit-server.ts";

const { service, app, context, records, addRecord } = await startWorld();
await app.listen({ host: "127.0.0.1", port: 0 });
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
afterEach(() => {
  vi.restoreAllMocks();
});

async function get(path: string, { method = "GET", agent = DESKTOP } = {}) {
  const headers = { "user-agent": agent };
  const response = await fetch(origin + path, { method, headers, redirect: "manual" });
  const { date, "keep-alive": _, connection, ...own } = Object.fromEntries(response.headers);
  return { status: response.status, headers: own, body: withoutProof(await response.text()) };
}

const fail = () => {
  throw new Error("broken");
};

/** Each page has its own. */
const withoutProof = (html: string) => html.replace(/data-proof="[\w-]{43}"/, "");

/** Through Fastify alone. */
async function getFromFastify(url: string, { method = "GET", agent = DESKTOP } = {}) {
  const headers = { "user-agent": agent };
  const inject = { method: method as "GET" | "HEAD", url, headers };
  const { statusCode: status, headers: all, body } = await app.inject(inject);
  const { date, "keep-alive": _, connection, ...own } = all;
  return { status, headers: own, body: withoutProof(body) };
}

describe("the requested code", () => {
  it.each([
    ["/l/abc2345", "abc2345"],
    ["/l/my-slug_2?utm_source=x", "my-slug_2"],
    ["/l/abc2345?", "abc2345"],
    ["/d/go.anna.example/mug?utm_source=x", "mug@go.anna.example"],
    ["/d/go.anna.example/a", "a@go.anna.example"],
    ["/d/go.anna.example/", "@go.anna.example"],
  ])("of %s is %s", (url, code) => {
    expect(requestedCode(url)).toBe(code);
  });

  it.each([
    ...["/l/ABC2345", "/l/abc2345/", "/l/%61bc2345", "/l/abc2345;x", "/l/abc2345#x", "/l/abc2345/outcome", "/l/", ""],
    ...[
      "/l/mug@go.anna.example",
      "/d/go.anna.example/Mug",
      "/d/go.anna.example/mug/",
      "/d/go.anna.example/mug/outcome",
    ],
    ...["/d/go.anna.example/mug@go.anna.example", "/d/mug@go.anna.example/", "/d/localhost/mug", "/d//mug", "/d/"],
    ...["/redirect?product_id=abc2345", "http://127.0.0.1/l/abc2345"],
  ])("of %s is left to Fastify", (url) => {
    expect(requestedCode(url)).toBeNull();
  });
});

describe("a visit without Fastify", () => {
  it("is no request with another method than GET and HEAD", async () => {
    expect((await get(`/l/${await addRecord()}`, { method: "DELETE" })).status).toBe(404);
  });

  it.each([
    ["a desktop", { agent: DESKTOP }],
    ["a phone", { agent: IPHONE }],
    ["a crawler", { agent: CRAWLER }],
    ["HEAD", { method: "HEAD" }],
  ])("gets the same response as with it: %s", async (_name, visitor) => {
    const code = await addRecord();
    await records.put(`${code}@go.anna.example`, liveRecord());
    const onDomain = `/d/go.anna.example/${code}`;
    for (const path of [`/l/${code}`, `/l/${code}?a=b&c`, `/l/${newCode()}`, onDomain]) {
      expect(await get(path, visitor)).toEqual(await getFromFastify(path, visitor));
    }
  });

  it.each([
    ["at once", fail],
    ["later", () => Promise.reject(new Error("broken"))],
  ])("gets one response and one log record if it fails %s", async (_when, resolve) => {
    vi.spyOn(context.resolverStack.resolver, "resolve").mockImplementation(resolve);
    const before = service.lines.length;
    const code = newCode();
    expect((await get(`/l/${code}`)).status).toBe(500);
    expect(service.lines.slice(before)).toMatchObject([
      { event: "request_failed", err: { message: "broken" }, route: "/l/:code", shortCode: code },
    ]);
  });
});

it.each(["en", "ja"])("each page of a link has a valid proof of its own, in %s", async (language) => {
  const code = await addRecord();
  const { proofs } = context.outcomes;
  const headers = { "user-agent": IPHONE, "accept-language": language };
  const seen = new Set<string>();
  for (let visit = 0; visit < 3; visit++) {
    const html = await (await fetch(`${origin}/l/${code}`, { headers })).text();
    const [, row = "", proof = ""] = /data-row="(.*?)".*data-proof="(.*?)"/.exec(html) ?? [];
    expect(proofs.verify(proof, code, row, Date.now())).toBe(true);
    expect(html).toMatch(/<\/html>\n$/);
    seen.add(proof);
  }
  expect(seen.size).toBe(3);
});
