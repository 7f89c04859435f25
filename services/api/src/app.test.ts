import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

describe("what no route takes", () => {
  it.each(["/", "/api", "/api/nothing", "/api/%", "/api/%00", `/api/${"%41".repeat(3_000)}`])(
    "is not found: %.30s",
    async (path) => {
      const answer = await fetch(api.url + path);
      expect([answer.status, await answer.text()]).toEqual([404, messages.notFound]);
    },
  );

  it.each(["GET", "PUT", "DELETE", "PROPFIND"])(
    "is told for %s which method is allowed",
    async (method) => {
      const answer = await fetch(`${api.url}/api/generate`, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
      expect(answer.headers.get("content-type")).toContain("text/plain");
    },
  );

  it("is not found where the request names no path at all", async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write("GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

it("tells a browser of another site nothing that would let it post", async () => {
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  const answer = await fetch(`${api.url}/api/generate`, { method: "OPTIONS", headers });
  expect([...answer.headers.keys()].filter((name) => /^access-control/.test(name))).toEqual([]);
});
