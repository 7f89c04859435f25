import { hash, randomBytes } from "node:crypto";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ERRORS } from "@tapthru/proto/errors";
import { listKeys, revokeKey } from "@tapthru/proto/keys";
import { MCP_PATH, OAUTH_ROUTES } from "@tapthru/proto/mcp";
import { ASSISTANT_SCOPES, allowConnection } from "@tapthru/proto/oauth";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { bearer, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE api_keys, members CASCADE"));

const RESOURCE = api.publicBaseUrl + MCP_PATH;
const REDIRECT_URI = "https://claude.example/callback";

/** Sends requests for the public address to the api, as the gateway does. */
const throughGateway: typeof fetch = (url, init) => fetch(String(url).replace(api.publicBaseUrl, api.url), init);

function newProgram(redirectUri = "http://localhost:33418/callback") {
  const opened: URL[] = [];
  const stored: Record<string, unknown> = {};
  const get = (name: string) => stored[name] as never;
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Inspector", redirect_uris: [redirectUri] },
    state: () => "of the program",
    clientInformation: () => get("client"),
    saveClientInformation: (client) => void Object.assign(stored, { client }),
    tokens: () => get("tokens"),
    saveTokens: (tokens) => void Object.assign(stored, { tokens }),
    codeVerifier: () => get("verifier"),
    saveCodeVerifier: (verifier) => void Object.assign(stored, { verifier }),
    discoveryState: () => get("discovery"),
    saveDiscoveryState: (discovery) => void Object.assign(stored, { discovery }),
    redirectToAuthorization: (url) => void opened.push(url),
  };
  return {
    opened,
    connect: async () => {
      const client = new Client({ name: "Inspector", version: "1" });
      const options = { authProvider: provider, fetch: throughGateway };
      const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), options);
      onTestFinished(() => client.close());
      const refusal = await client.connect(transport).catch((error: Error) => error.name);
      return { client, transport, refusal };
    },
  };
}

/** Sends what the page sends after a click on "Allow". */
async function allow(url: URL | undefined, user: TestUser): Promise<URLSearchParams> {
  const { searchParams } = url ?? new URL("about:blank");
  const { code } = await user.call(allowConnection, {
    body: {
      clientId: searchParams.get("client_id"),
      redirectUri: searchParams.get("redirect_uri"),
      codeChallenge: searchParams.get("code_challenge"),
      scopes: searchParams.get("scope")?.split(" "),
    },
  });
  return new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: api.publicBaseUrl });
}

it("a program that knows only the address connects, and its access ends with its key", async () => {
  const program = newProgram();
  const { transport, refusal } = await program.connect();
  expect(refusal).toBe("UnauthorizedError");
  const [page] = program.opened;
  expect(page?.href).toMatch(`${api.publicBaseUrl}/connect?response_type=code&`);
  await transport.finishAuth(await allow(page, ada));

  const { client } = await program.connect();
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const { structuredContent } = await client.callTool({ name: "list_links", arguments: {} });
  expect(structuredContent).toMatchObject({ links: [] });

  const [key, ...others] = await eventually(async () => {
    const keys = await ada.call(listKeys);
    expect(keys[0]?.lastUsedAt).not.toBeNull();
    return keys;
  });
  expect(others).toEqual([]);
  expect(key).toMatchObject({
    name: "Inspector",
    scopes: ASSISTANT_SCOPES,
    start: expect.stringMatching(/^tt_\w{4}$/),
  });
  expect((Date.parse(String(key?.expiresAt)) - Date.now()) / 86_400_000).toBeCloseTo(90, 1);

  await ada.call(revokeKey, { params: { id: String(key?.id) } });
  await expect(client.callTool({ name: "list_links", arguments: {} })).rejects.toThrow();
  expect((await program.connect()).refusal).toBe("UnauthorizedError");
  expect(program.opened.length).toBeGreaterThan(1);
});

async function register(metadata: object): Promise<[status: number, reply: Record<string, unknown>]> {
  const response = await api.post(OAUTH_ROUTES.register.path, metadata);
  return [response.status, Object(await response.json())];
}

async function newCode(user = ada, body: object = {}, headers = {}) {
  const [, { client_id }] = await register({ client_name: "Claude", redirect_uris: [REDIRECT_URI] });
  const code_verifier = randomBytes(32).toString("base64url");
  const consent = {
    clientId: String(client_id),
    redirectUri: REDIRECT_URI,
    codeChallenge: hash("sha256", code_verifier, "base64url"),
    scopes: ["links:read"],
    ...body,
  };
  const { code } = await user.call(allowConnection, { body: consent, headers });
  const grant_type = "authorization_code";
  return { grant_type, code, client_id: String(client_id), redirect_uri: REDIRECT_URI, code_verifier };
}

async function exchange(form: Record<string, string>) {
  const response = await fetch(api.url + OAUTH_ROUTES.token.path, { method: "POST", body: new URLSearchParams(form) });
  return [response.status, Object(await response.json())] as const;
}

const statusOf = async (key: string) => (await api.request("GET", "/api/links", bearer(key))).status;

describe("a code", () => {
  it("exchanges a code once, and a second use ends the key", async () => {
    const form = await newCode();
    const [, { access_token: key }] = await exchange(form);
    expect(await exchange({ ...form, code_verifier: "v".repeat(43) })).toEqual([400, { error: "invalid_grant" }]);
    expect(await statusOf(key)).toBe(200);
    expect(await exchange(form)).toEqual([400, { error: "invalid_grant" }]);
    expect(await statusOf(key)).toBe(401);
    expect(await ada.call(listKeys)).toEqual([]);
  });

  it("exchanges a code once with concurrent requests", async () => {
    const form = await newCode();
    const replies = await Promise.all(Array.from({ length: 5 }, () => exchange(form)));
    const [done, ...others] = replies.filter(([status]) => status === 200).map(([, reply]) => reply);
    expect(others).toEqual([]);
    expect(done).toMatchObject({ token_type: "Bearer", expires_in: 90 * 86_400, scope: "links:read" });
    expect(await statusOf(done.access_token)).toBe(401);
  });

  it("a code is no key, and Postgres stores neither of them", async () => {
    const form = await newCode();
    expect(await statusOf(form.code)).toBe(401);
    const [, { access_token: key }] = await exchange(form);
    expect(JSON.stringify(await api.query("SELECT * FROM api_keys"))).not.toMatch(`${form.code}|${key}`);
    expect(JSON.stringify(api.lines)).not.toMatch(`${form.code}|${form.code_verifier}|${key}`);
  });

  it.each([
    ["another verifier", { code_verifier: "v".repeat(43) }, "invalid_grant"],
    ["the challenge as its verifier", { code_verifier: hash("sha256", "v".repeat(43), "base64url") }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_request"],
    ["another client", { client_id: "Claude" }, "invalid_grant"],
    ["another address", { redirect_uri: `${REDIRECT_URI}?a` }, "invalid_grant"],
    ["another code", { code: "c".repeat(43) }, "invalid_grant"],
    ["another resource", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["another grant", { grant_type: "refresh_token" }, "unsupported_grant_type"],
    ["no grant", { grant_type: "" }, "unsupported_grant_type"],
  ])("refuses a code with %s, and keeps it for the program that has all", async (_what, change, error) => {
    const form = await newCode();
    expect(await exchange({ ...form, ...change })).toEqual([400, { error }]);
    expect((await exchange({ ...form, resource: RESOURCE, nonce: "1" }))[0]).toBe(200);
  });

  it("refuses a code after a minute", async () => {
    const form = await newCode();
    const [row] = await api.query("SELECT expires_at <= now() + interval '1 minute' AS is_short FROM api_keys");
    expect(row).toEqual({ is_short: true });
    await api.query("UPDATE api_keys SET expires_at = now()");
    expect(await exchange(form)).toEqual([400, { error: "invalid_grant" }]);
    expect(await ada.call(listKeys)).toEqual([]);
    const later = await newCode();
    expect(await ada.call(listKeys)).toHaveLength(1);
    expect((await exchange(later))[0]).toBe(200);
  });

  it("ends with what ends keys", async () => {
    const form = await newCode();
    for (const { id } of await ada.call(listKeys)) await ada.call(revokeKey, { params: { id: String(id) } });
    expect(await exchange(form)).toEqual([400, { error: "invalid_grant" }]);
    await addMember(api, { account: ada.user.id, member: eve.user.id }, "editor");
    const ofMember = await newCode(eve, {}, inAccountOf(ada));
    await api.query("TRUNCATE members CASCADE");
    expect(await exchange(ofMember)).toEqual([400, { error: "invalid_grant" }]);
  });
});

it("the key of a viewer reads the account, and changes nothing there", async () => {
  await addMember(api, { account: ada.user.id, member: eve.user.id }, "viewer");
  const scopes = ["links:read", "links:write"];
  const [, { access_token: key }] = await exchange(await newCode(eve, { scopes }, inAccountOf(ada)));
  expect(await statusOf(key)).toBe(200);
  const created = await api.post("/api/links", { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W" }, bearer(key));
  expect([created.status, await created.text()]).toEqual([403, ERRORS["role-required"].message]);
});

describe("a consent", () => {
  const refusal = (body: object) =>
    newCode(ada, body).then(
      () => "none",
      (error: Error) => error.message,
    );

  it.each([
    ["an address that is not registered", { redirectUri: "https://evil.example/callback" }],
    ["an address that continues a registered one", { redirectUri: `${REDIRECT_URI}/x` }],
    ["a client that never registered", { clientId: "Claude" }],
    [
      "a client with an address that is not allowed",
      {
        clientId: encodeURIComponent('{"client_name":"a","redirect_uris":["javascript:alert(1)"]}'),
        redirectUri: "javascript:alert(1)",
      },
    ],
  ])("refuses a consent for %s", async (_what, body) => {
    expect(await refusal(body)).toContain(`404 ${ERRORS["not-found"].message}`);
  });

  it("gives no right of operators, and needs one right and a challenge of S256", async () => {
    for (const body of [{ scopes: ["operator"] }, { scopes: [] }, { codeChallenge: "v".repeat(42) }]) {
      expect(await refusal(body)).toContain("422");
    }
  });
});

describe("a registration", () => {
  it("keeps the name and the addresses, and stores nothing", async () => {
    const metadata = {
      client_name: " \u202eClaude ",
      redirect_uris: [REDIRECT_URI],
      logo_uri: "https://evil.example/a.png",
    };
    const [status, { client_id, ...reply }] = await register({
      ...metadata,
      token_endpoint_auth_method: "client_secret_post",
    });
    expect([status, reply]).toEqual([
      201,
      {
        client_name: "Claude",
        redirect_uris: [REDIRECT_URI],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ]);
    expect((await register({ redirect_uris: [REDIRECT_URI] }))[1]).toMatchObject({ client_name: "Assistant" });
    expect((await register({ ...metadata, client_name: "x".repeat(300) }))[1]).toMatchObject({
      client_name: "x".repeat(50),
    });
    expect((await register({ ...metadata, client_name: `${"x".repeat(49)}😀` }))[0]).toBe(201);
    expect((await register({ ...metadata, client_name: 'A” or "B' }))[1]).toMatchObject({ client_name: "A' or 'B" });
  });

  it("bounds a registration", async () => {
    for (const [metadata, error] of [
      [{}, "invalid_redirect_uri"],
      [{ redirect_uris: [] }, "invalid_redirect_uri"],
      [{ redirect_uris: Array(11).fill(REDIRECT_URI) }, "invalid_redirect_uri"],
      [{ redirect_uris: [`https://claude.example/${"x".repeat(300)}`] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["http://claude.example/"] }, "invalid_redirect_uri"],
      ...[";", ",", "$", "(", "..", "\t.", "\n."].map(
        (sign) => [{ redirect_uris: [`https://claude.ai${sign}evil.example/`] }, "invalid_redirect_uri"] as const,
      ),
      ...["Tapthru Support", "Claude, verified by Tapthru. You return to claude.", "Аmazon", "Login"].map(
        (name) => [{ client_name: name, redirect_uris: [REDIRECT_URI] }, "invalid_client_metadata"] as const,
      ),
      [{ client_name: "a\nb", redirect_uris: [REDIRECT_URI] }, "invalid_client_metadata"],
      [{ client_name: " ", redirect_uris: [REDIRECT_URI] }, "invalid_client_metadata"],
    ] as const) {
      expect(await register(metadata)).toEqual([400, { error }]);
    }
  });
});

describe("a page of another site", () => {
  const origin = "https://inspector.example";
  const routes = [
    ["GET", OAUTH_ROUTES.resource.path, 200],
    ["GET", OAUTH_ROUTES.resourceOfMcp.path, 200],
    ["GET", OAUTH_ROUTES.server.path, 200],
    ["POST", OAUTH_ROUTES.register.path, 400],
    ["POST", OAUTH_ROUTES.token.path, 415],
    ["POST", MCP_PATH, 401],
  ] as const;

  it.each(routes)("%s %s is read without a cookie, and not sent with one", async (method, path, expected) => {
    const send = (headers: Record<string, string>) =>
      fetch(api.url + path, {
        method,
        headers: { origin, "content-type": "application/json", ...headers },
        ...(method === "POST" && { body: "{}" }),
      });
    const open = await send({});
    expect([open.status, open.headers.get("access-control-allow-origin")]).toEqual([expected, "*"]);
    const closed = await send({ cookie: "session=x" });
    expect(closed.headers.get("access-control-allow-origin")).toBeNull();
    if (method === "POST") expect(await closed.text()).toContain(ERRORS["bad-origin"].message);
  });
});
