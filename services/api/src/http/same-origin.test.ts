import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireSameOrigin } from "./browser-security.ts";
import { errorReplies } from "./error-replies.ts";

const app = new Koa();
app.use(errorReplies);
app.use(requireSameOrigin("https://tap.example", () => false));
app.use((ctx) => {
  ctx.body = "done";
});
const server = createServer(app.callback());
let address: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
});

const cookie = "claim=anything";

describe("an unsafe method", () => {
  it.each([
    ["the origin of the site and a cookie", { origin: "https://tap.example", cookie }],
    ["neither origin nor cookie, like a script", {}],
  ])("passes with %s", async (_title, headers) => {
    expect((await fetch(address, { method: "POST", headers })).status).toBe(200);
  });

  it.each([
    ["a foreign origin", { origin: "https://evil.example" }],
    ["a look-alike suffix", { origin: "https://tap.example.evil.example" }],
    ["another scheme", { origin: "http://tap.example" }],
    ["another port", { origin: "https://tap.example:8443" }],
    ["origin null", { origin: "null" }],
    ["a cookie and no origin", { cookie }],
  ])("is rejected with %s", async (_title, headers) => {
    for (const method of ["POST", "PATCH", "DELETE", "PUT"]) {
      const reply = await fetch(address, { method, headers });
      expect(reply.status).toBe(403);
      expect(reply.headers.get("content-type")).toContain("text/plain");
    }
  });
});

it("allows a cross-site GET, which changes nothing", async () => {
  const headers = { origin: "https://evil.example", cookie };
  expect((await fetch(address, { headers })).status).toBe(200);
});
