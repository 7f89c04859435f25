import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startWorld } from "../testing/start-world.ts";
import { DESKTOP, IPHONE, newCode } from "../testing/test-service.ts";

const { service, app, context, addRecord } = await startWorld();
await app.listen({ host: "127.0.0.1", port: 0 });
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
afterEach(() => {
  vi.restoreAllMocks();
});

const get = (path: string, method = "GET") =>
  fetch(origin + path, { method, headers: { "user-agent": DESKTOP }, redirect: "manual" });

const fail = () => {
  throw new Error("broken");
};

describe("a visit", () => {
  it("a visit is a request with the method GET or HEAD", async () => {
    expect((await get(`/l/${await addRecord()}`, "DELETE")).status).toBe(404);
  });

  it.each([
    ["at once", fail],
    ["later", () => Promise.reject(new Error("broken"))],
  ])("a visit that fails %s gets one response and one log record", async (_when, resolve) => {
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
