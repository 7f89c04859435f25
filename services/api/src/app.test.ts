import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { ERRORS } from "@tapthru/proto/errors";
import { describe, expect, it } from "vitest";
import { addKey } from "./testing/test-keys.ts";
import { bearer, signUpUser } from "./testing/test-user.ts";
import { startApi } from "./testing/world.ts";

const api = await startApi({ EGRESS_STAND_IN_URL: "http://127.0.0.1:1" });

describe("a request that matches no route", () => {
  it.each(["/", "/api", "/api/nothing", "/api/%", "/api/%00", `/api/${"%41".repeat(3_000)}`])(
    "gets 404: %.30s",
    async (path) => {
      const response = await fetch(api.url + path);
      expect([response.status, await response.text()]).toEqual([404, ERRORS["not-found"].message]);
    },
  );

  it.each(["GET", "PUT", "DELETE", "PROPFIND"])("gets 405 and the allowed method for %s", async (method) => {
    const response = await fetch(`${api.url}/api/generate`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(response.headers.get("content-type")).toContain("text/plain");
  });

  it.each([
    ["/api/links/stores", "GET, HEAD"],
    ["/api/links/bulk", "DELETE, PATCH, POST"],
    ["/api/links/abc2345", "DELETE, GET, HEAD, PATCH"],
    ["/api/openapi.json", "GET, HEAD"],
    ["/api/mcp", "POST"],
    ["/api/oauth/token", "POST"],
    ["/.well-known/oauth-protected-resource/api/mcp", "GET, HEAD"],
  ])("gets the methods of %s alone, also for OPTIONS", async (path, allow) => {
    for (const [method, status] of [
      ["PUT", 405],
      ["OPTIONS", 200],
    ] as const) {
      const response = await fetch(api.url + path, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    }
  });
});

describe("a request that is not valid HTTP", () => {
  const HEAD = "GET /api/visitor HTTP/1.1\r\nHost: x\r\n";

  it.each([
    ["in its request line", "GARBAGE\r\n\r\n", "400 Bad Request"],
    ["in its headers", `${HEAD}no colon\r\n\r\n`, "400 Bad Request"],
    ["for its size", `${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`, "431 Request Header Fields Too Large"],
  ])("%s gets a sentence in plain text", async (_where, request, status) => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(request);
    const [head = "", body] = (await text(socket)).split("\r\n\r\n");
    expect(head.split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
    expect(head).toContain("Content-Type: text/plain; charset=utf-8");
    expect(body).toBe(ERRORS["malformed-request"].message);
  });
});

describe("the log", () => {
  const records = (level: string) => api.lines.filter((line) => line.level === level);

  it("contains the details of an unknown error, and the response does not", async () => {
    await api.query("ALTER TABLE recent_creates RENAME TO lost");
    const url = "https://www.amazon.de/dp/B0CANARY00";
    const response = await api.post("/api/generate", { url });
    await api.query("ALTER TABLE lost RENAME TO recent_creates");
    expect([response.status, await response.text()]).toEqual([500, ERRORS.internal.message]);
    const requestId = response.headers.get("x-request-id");
    expect(records("error")).toEqual([
      expect.objectContaining({ requestId, err: expect.objectContaining({ code: "42P01" }) }),
    ]);
    expect(JSON.stringify(api.lines)).not.toContain("B0CANARY00");
  });
});

describe("a page of another site", () => {
  const origin = "https://other.example";
  const corsOf = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control")));
  const send = (headers: Record<string, string>, method = "POST", path = "/api/links") =>
    fetch(api.url + path, {
      method,
      headers: { origin, "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: JSON.stringify({ url: "https://www.amazon.de/dp/B0ZZ1Y2X3W" }) }),
    });

  it("a page of another site may ask whether it may send a key, never with credentials", async () => {
    const headers = { "access-control-request-method": "POST" };
    for (const path of ["/api/links", "/api/mcp", "/api/nothing"]) {
      const response = await send(headers, "OPTIONS", path);
      expect([path, response.status, corsOf(response)]).toEqual([
        path,
        200,
        {
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-allow-headers": "authorization, *",
          "access-control-expose-headers": "*",
          "access-control-max-age": "7200",
        },
      ]);
    }
  });

  it("a page of another site may use a key, and read why it is refused", async () => {
    const user = await signUpUser(api);
    const { script } = await addKey(api, user, ["links:write"]);
    const readable = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };
    for (const from of [{}, { origin: "null" }, { origin: "moz-extension://a" }]) {
      const created = await send({ ...script, ...from });
      expect([created.status, corsOf(created)]).toEqual([201, readable]);
    }
    for (const [headers, method, path, status] of [
      [script, "GET", "/api/links", 403],
      [script, "GET", "/api/nothing", 404],
      [script, "PATCH", "/api/links", 405],
      [bearer(`tt_${"x".repeat(36)}`), "POST", "/api/links", 401],
    ] as const) {
      const refused = await send(headers, method, path);
      expect([refused.status, corsOf(refused)]).toEqual([status, readable]);
    }
  });

  it("reads nothing without a key, or with a cookie", async () => {
    const user = await signUpUser(api);
    const { script } = await addKey(api, user, ["links:write"]);
    for (const headers of [{}, { origin: "null" }, { ...script, cookie: "session=x" }, bearer("a.b.c")]) {
      const response = await send(headers);
      expect([response.status, corsOf(response)]).toEqual([403, {}]);
      expect(corsOf(await send(headers, "GET"))).toEqual({});
    }
  });
});
