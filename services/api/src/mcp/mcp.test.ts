import { ClickReport } from "@tapthru/proto/clicks";
import { EarningsTable } from "@tapthru/proto/earnings";
import { ERRORS } from "@tapthru/proto/errors";
import { MISSING_SCOPE } from "@tapthru/proto/keys";
import { Link } from "@tapthru/proto/links";
import { MCP_PATH } from "@tapthru/proto/mcp";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { randomKey } from "../callers/key-text.ts";
import { addKey } from "../testing/test-keys.ts";
import { product, redirectRecord } from "../testing/test-links.ts";
import { connectMcp, MCP_INPUTS, REVISIONS } from "../testing/test-mcp.ts";
import { bearer, signUpUser } from "../testing/test-user.ts";
import { startApi, startOwnRedis, startWorld } from "../testing/world.ts";

const { api, ada } = await startWorld();
const { script } = await addKey(api, ada);
beforeEach(() => api.query("TRUNCATE all_links, link_codes, link_changes, products, retired_codes CASCADE"));

type Mode = (typeof REVISIONS)[keyof typeof REVISIONS];

async function connect(headers = script, mode: Mode = REVISIONS.modern) {
  const mcp = await connectMcp(api, headers, mode);
  onTestFinished(() => mcp.client.close());
  return mcp;
}

const Page = z.object({ links: z.array(Link), nextCursor: z.nullable(z.string()) });

const create = async (mcp: Awaited<ReturnType<typeof connect>>, input: object = {}) =>
  Link.parse(await mcp.call("create_link", { url: product, ...input }));

const redis = await startOwnRedis();
const limited = await startApi({ REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });

describe.each(Object.entries(REVISIONS))("a client of the %s revision", (_name, mode) => {
  it("finds the tools, with schemas of their input and output", async () => {
    const { client } = await connect(script, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(MCP_INPUTS));
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
    }
  });

  it("creates, lists and changes a link and counts its clicks", async () => {
    const mcp = await connect(script, mode);
    const link = await create(mcp, { nickname: "A mug", expiresAt: "2199-01-01T00:00:00Z" });
    expect(link).toMatchObject({ originalUrl: product, nickname: "A mug", userId: ada.user.id });

    const url = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-22";
    const { shortCode } = link;
    expect(await mcp.call("edit_link", { shortCode, url })).toMatchObject({ originalUrl: url });
    expect(await redirectRecord(shortCode)).toMatchObject({ webUrl: url });
    expect(await mcp.call("edit_link", { shortCode, labels: ["Camping"] })).toMatchObject({
      labels: [{ name: "Camping" }],
    });

    const { links, nextCursor } = Page.parse(await mcp.call("list_links", { q: "camping" }));
    expect(links).toMatchObject([{ shortCode, originalUrl: url }]);
    expect(nextCursor).toBeNull();

    const earnings = EarningsTable.parse(await mcp.call("get_earnings", { by: "channel", limit: 5 }));
    expect(earnings).toMatchObject({ rows: [], reportedUntil: null });

    for (const input of [{ shortCode, by: "country" }, {}]) {
      const report = ClickReport.parse(await mcp.call("get_clicks", input));
      expect(report.totals.person).toBe(0);
      expect(report.series).toHaveLength(30);
    }
  });

  it("returns the errors of the api as errors of the tool", async () => {
    const mcp = await connect(script, mode);
    const { shortCode } = await create(mcp, { slug: "camping-mug" });
    const another = { url: product, slug: shortCode };
    expect(await mcp.call("create_link", another)).toBe(ERRORS["slug-taken"].message);
    expect(await mcp.call("create_link", { url: "https://example.com" })).toBe(ERRORS["not-an-amazon-link"].message);
    expect(await mcp.call("edit_link", { shortCode, slug: "!" })).toBe(
      "A short link name has 3 to 50 letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough",
    );
    expect(await mcp.call("edit_link", { shortCode })).toBe(ERRORS["malformed-request"].message);
    expect(await mcp.call("edit_link", { shortCode: "x8n3qrs", title: "A mug" })).toBe(
      ERRORS["link-not-found"].message,
    );
    expect(await mcp.call("list_links", { userId: 1 })).toBe("Unexpected field: userId");
    expect(await mcp.call("get_clicks", { by: "address" })).toBe("Missing or malformed field: by");
    expect(await mcp.call("get_earnings", { channel: 1 })).toBe("Missing or malformed field: channel");
  });
});

it("a key has only the tools of its scopes, with the messages of the api", async () => {
  const inputs: [ApiKeyScope, string, Record<string, unknown>][] = [
    ["links:write", "create_link", { url: product }],
    ["links:read", "list_links", {}],
    ["links:write", "edit_link", { shortCode: "x8n3qrs", title: "A mug" }],
    ["clicks:read", "get_clicks", {}],
    ["earnings:read", "get_earnings", {}],
  ];
  for (const scope of ["links:read", "links:write", "clicks:read", "earnings:read"] as const) {
    const { call } = await connect((await addKey(api, ada, [scope])).script);
    for (const [needed, name, input] of inputs) {
      const result = await call(name, input);
      if (needed === scope) expect(result).not.toBe(MISSING_SCOPE[needed].message);
      else expect(result).toBe(MISSING_SCOPE[needed].message);
    }
  }
  const { call } = await connect((await addKey(api, ada, ["links:read"])).script);
  expect(await call("list_links", { sort: "clicks" })).toBe(MISSING_SCOPE["clicks:read"].message);
});

it("an unexpected failure of a tool is reported without its cause, and logged", async () => {
  const { call } = await connect();
  await api.query("ALTER VIEW links RENAME TO lost");
  onTestFinished(async () => void (await api.query("ALTER VIEW lost RENAME TO links")));
  expect(await call("list_links", {})).toBe(ERRORS.internal.message);
  expect(api.lines).toContainEqual(expect.objectContaining({ event: "request_failed" }));
});

describe("POST /api/mcp", () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const protocol = { accept: "application/json, text/event-stream" };
  const post = (body: unknown, headers: Record<string, string> = script) =>
    api.post(MCP_PATH, body, { ...protocol, ...headers });
  const outcome = async (response: Promise<Response>) => {
    const { status, headers, text } = await response.then(async (r) => ({
      status: r.status,
      headers: r.headers,
      text: await r.text(),
    }));
    return { status, text, challenge: headers.get("www-authenticate") };
  };

  it("requires an API key, also from a visitor with a session", async () => {
    const refusals = [
      [{}, ERRORS["key-required"].message],
      [ada.browser, ERRORS["key-required"].message],
      [bearer(ada.token), ERRORS["key-required"].message],
      [bearer(randomKey()), ERRORS["bad-key"].message],
    ] as const;
    for (const [headers, text] of refusals) {
      const challenge = `Bearer resource_metadata="${api.publicBaseUrl}/.well-known/oauth-protected-resource/api/mcp"`;
      expect(await outcome(post(ping, headers))).toEqual({ status: 401, text, challenge });
    }
  });

  it("refuses requests with cookies from other sites", async () => {
    const headers = { ...script, origin: "https://evil.example" };
    expect(await outcome(post(ping, { ...headers, cookie: "a=b" }))).toMatchObject({
      status: 403,
      text: ERRORS["bad-origin"].message,
    });
    expect((await post(ping, headers)).status).toBe(200);
  });

  it("refuses lists of messages, other types, large bodies and what is no message", async () => {
    expect(await outcome(post([ping]))).toMatchObject({ status: 400, text: "Please send one message, not a list." });
    const asText = { ...script, "content-type": "text/plain" };
    expect((await post(ping, asText)).status).toBe(415);
    expect((await post({ ...ping, x: "x".repeat(16 * 1024) })).status).toBe(413);
    for (const body of [{}, "x", { jsonrpc: "1.0" }, null]) {
      expect((await post(body)).status).toBe(400);
    }
    expect((await post(ping, { ...script, accept: "text/html" })).status).toBe(406);
  });

  it("offers no streams and no sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await api.request(method, MCP_PATH, { ...protocol, ...script });
      expect([method, status, headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    const { client } = await connect();
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });
});

describe("the limits", () => {
  async function connect() {
    const { script } = await addKey(limited, await signUpUser(limited));
    await limited.redis.del(await limited.redis.keys("limit:*"));
    const mcp = await connectMcp(limited, script);
    onTestFinished(() => mcp.client.close());
    return { ...mcp, script };
  }

  async function useUp(name: "generate" | "apiKey"): Promise<void> {
    const [counter = ""] = await limited.redis.keys(`limit:${name}:visitor:*`);
    await limited.redis.set(counter, RATE_LIMITS_PER_MINUTE[name].visitor, "KEEPTTL");
  }

  it("a tool that creates links counts for the limit of the user", async () => {
    const { call } = await connect();
    await call("create_link", { url: product });
    await useUp("generate");
    expect(await call("create_link", { url: product })).toBe(ERRORS["too-many-requests"].message);
    expect(await call("list_links", {})).toMatchObject({ links: [{ originalUrl: product }] });
  });

  it("messages count for the limits of the key and the user, which the reply names", async () => {
    const { script } = await connect();
    const ping = () => limited.post(MCP_PATH, { jsonrpc: "2.0", id: 1, method: "ping" }, headers);
    const headers = { ...script, accept: "application/json, text/event-stream" };
    const accepted = await ping();
    expect(accepted.status).toBe(200);
    const policies = accepted.headers.get("ratelimit-policy")?.match(/"[^"]+"/g);
    expect(policies).toEqual(['"otherApi-address"', '"apiKey-caller"', '"otherApi-caller"']);

    await useUp("apiKey");
    const refused = await ping();
    expect([refused.status, await refused.text()]).toEqual([429, ERRORS["too-many-requests"].message]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
