import { randomBytes } from "node:crypto";
import { CALLS } from "@tapthru/proto/calls";
import { expect, it } from "vitest";
import { confirmEmail, createAccount, revokeTokens, type TestAccount } from "../testing/test-accounts.ts";
import { addKey } from "../testing/test-keys.ts";
import { createLink, product } from "../testing/test-links.ts";
import { connectMcp } from "../testing/test-mcp.ts";
import { bearer, logIn, newBrowser, postLogin, postUser, signUpUser } from "../testing/test-user.ts";
import { startApi, startOwnRedis } from "../testing/world.ts";

const NAME = "canary of a name";

const redis = await startOwnRedis();
const { url } = redis;
const api = await startApi({
  REDIS_CACHE_URL: url,
  REDIS_QUEUE_URL: url,
  RATE_LIMITS: "on",
  EGRESS_STAND_IN_URL: "http://127.0.0.1:1",
});

const signUp = (account: TestAccount, username: string) => postUser(api, account, { username });

const plainApi = await startApi();
const { script } = await addKey(plainApi, await signUpUser(plainApi));

const METHODS = ["GET", "PATCH", "PUT", "REPORT", "PROPFIND"];

const sent: string[] = [];

async function sendRequests(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const random = randomBytes(6).toString("hex");
    sent.push(random);
    const headers = { "user-agent": random, "x-request-id": random };
    const method = METHODS[i % METHODS.length] as string;
    await plainApi.request(method, `/api/${random}`, headers);
    await plainApi.request("GET", `/api/links/${random}`, headers);
    const message = { jsonrpc: "2.0", id: random, method: "tools/call", params: { name: random } };
    const accept = "application/json, text/event-stream";
    await plainApi.post("/api/mcp", message, { ...headers, ...script, accept, "mcp-method": random });
    await plainApi.request("GET", `/api/metadata?product_id=${random}&marketplace=${random}`, headers);
  }
}

it("log records, metrics and Redis keys contain no personal data and no credentials", async () => {
  const account = await createAccount(api);
  const other = await createAccount(api);
  const { uid, email, token } = account;
  const canary = "canary-0123456789-abcdefghij";
  const forwarded = { "x-forwarded-for": "203.0.113.77", "user-agent": canary, "x-request-id": `${canary} x` };

  await signUp(account, NAME);
  await confirmEmail(api, account);
  await signUp(other, NAME);
  await signUp({ ...account, uid: other.uid }, NAME);
  const browser = await logIn(api, account, { ...newBrowser(api), ...forwarded });
  await createLink(api, browser);
  const keyed = { ...forwarded, "idempotency-key": canary };
  for (const url of [`${product}&q=${canary}`, `https://evil.example/${canary}`, `https://amzn.to/${canary}`]) {
    await api.post(`/api/generate?q=${canary}`, { url }, keyed);
  }
  await api.post("/api/generate", { [canary]: product }, { ...forwarded, cookie: `claim=${canary}` });
  await api.post(`/api/${canary}`, {}, forwarded);
  await api.post("/api/generate", { url: product }, { ...forwarded, ...bearer(token) });
  await api.request("GET", `/api/users/${uid}`, browser);
  await api.request("GET", `/api/users/${uid}/`, browser);
  await api.request("GET", `/api/users/${uid}`, bearer(other.token));
  await api.request("DELETE", `/api/sessions/${uid}`, browser);
  await (await api.request("GET", "/api/account/export", browser)).text();
  const { id: keyId, key, script } = await addKey(api, { browser });
  await api.post("/api/generate", { url: product }, { ...forwarded, ...script });
  await api.request("GET", "/api/links", script);
  await api.request("GET", "/api/sessions", script);
  const mcp = await connectMcp(api, { ...forwarded, ...script });
  await mcp.call("create_link", { url: product, nickname: NAME });
  await mcp.call("edit_link", { shortCode: key, title: NAME });
  await mcp.client.close();
  await api.request("GET", `/api/links/${key}`, script);
  await api.request("DELETE", `/api/keys/${keyId}x`, browser);
  await api.query("ALTER TABLE users RENAME TO lost");
  await api.request("GET", "/api/links", script);
  const failed = await Promise.all([
    api.request("GET", `/api/users/${uid}`, browser),
    postLogin(api, account, browser),
    signUp(other, "canary of another name"),
  ]);
  await api.query("ALTER TABLE lost RENAME TO users");
  await api.request("DELETE", `/api/keys/${keyId}`, browser);
  await api.request("GET", "/api/links", script);
  await api.request("GET", "/api/links", bearer(`${key}x`));
  await revokeTokens(api, account);
  await postLogin(api, account);
  await postLogin(api, { ...account, token: `${token}x` });
  const keys = await api.redis.keys("*");
  await api.request("DELETE", "/api/account", browser, { email });

  expect(failed.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(api.lines.map(({ level }) => level)).toContain("error");
  expect(keys.some((key) => key.startsWith("session:"))).toBe(true);
  expect(keys.some((key) => key.startsWith("limit:"))).toBe(true);
  const cookies = browser.cookie.split(/; |=/).filter((part) => part.length > 20);
  expect(cookies).toHaveLength(2);
  const secrets = [uid, email, token, key.slice(3, 33), ...token.split(".").filter(Boolean), ...cookies];
  const metrics = await api.context.registry.metrics();
  const output = JSON.stringify([api.lines, metrics, keys]);
  for (const secret of [...secrets, other.uid, other.email, "canary", "203.0.113"]) {
    expect([secret, output.includes(secret)]).toEqual([secret, false]);
  }
});

it("the number of metric series stays low after hundreds of unknown paths, user agents, methods and MCP tools", async () => {
  await sendRequests(200);
  const text = await plainApi.context.registry.metrics();
  const series = text.split("\n").filter((line) => line.startsWith("tapthru_"));
  expect(series.length).toBeGreaterThan(50);
  expect(series.length).toBeLessThan(40 * Object.keys(CALLS).length);
  expect(sent.filter((random) => text.includes(random))).toEqual([]);
});
