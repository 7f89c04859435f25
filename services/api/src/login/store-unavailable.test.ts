import { ERRORS } from "@tapthru/proto/errors";
import { GeneratedLink } from "@tapthru/proto/generate";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { addKey } from "../testing/test-keys.ts";
import { makeOperator } from "../testing/test-operator.ts";
import {
  type BrowserHeaders,
  bearer,
  logIn,
  newBrowser,
  postLogin,
  signUpUser,
  type TestUser,
} from "../testing/test-user.ts";
import { startApi, startOwnRedis } from "../testing/world.ts";

const product = { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W" };

let user: TestUser;
const redis = await startOwnRedis();
const api = await startApi({ REDIS_SESSION_URL: redis.url }, { redisBudgetMs: 250 });
beforeAll(async () => {
  user = await signUpUser(api);
});

const links = (browser: BrowserHeaders) => api.request("GET", "/api/links", browser);

async function expectUnavailable(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([503, ERRORS.unavailable.message]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.getSetCookie()).toEqual([]);
}

const completedRequests = () => api.lines.filter(({ event }) => event === "request_completed");

async function waitUntilAvailable(): Promise<void> {
  await eventually(async () => expect((await links(user.browser)).status).toBe(200));
}

describe.each([
  ["down", () => redis.kill(), () => redis.start()],
  ["unresponsive", async () => redis.freeze(), async () => redis.resume()],
])("with the Redis of the sessions %s", (_state, breakRedis, restoreRedis) => {
  beforeAll(async () => {
    await waitUntilAvailable();
    await breakRedis();
  });
  afterAll(async () => {
    await restoreRedis();
    await waitUntilAvailable();
  });

  it("responds 503 to a caller with a session, and keeps the cookie", async () => {
    for (let i = 0; i < 10; i++) await expectUnavailable(await links(user.browser));
    await expectUnavailable(await api.request("POST", "/api/logout", user.browser));
    await expectUnavailable(await api.request("DELETE", "/api/links/1", user.browser));
  });

  it("records in the request's log record which Redis was unavailable", async () => {
    await links(user.browser);
    await eventually(() =>
      expect(completedRequests().at(-1)).toMatchObject({
        status: 503,
        reason: expect.stringMatching(/^Redis for session (is unavailable|responds too late)$/),
      }),
    );
  });

  it("responds 401 without a session, and 503 to a login", async () => {
    expect((await links(newBrowser(api))).status).toBe(401);
    expect((await links({ ...user.browser, cookie: "sid=forged; sid.sig=x" })).status).toBe(401);
    await expectUnavailable(await postLogin(api, user));
    expect((await api.request("POST", "/api/logout")).status).toBe(200);
  });

  it("serves requests that need no session", async () => {
    const metadata = "/api/metadata?product_id=B0ZZ1Y2X3W";
    for (const headers of [newBrowser(api), user.browser]) {
      expect((await api.request("GET", "/api/visitor", headers)).status).toBe(200);
      expect((await api.request("GET", metadata, headers)).status).toBe(200);
      expect((await api.post("/api/resolve-link", { url: "x" }, headers)).status).toBe(422);
    }
    expect((await api.post("/api/generate", product)).status).toBe(201);
  });

  it("creates no anonymous link for a caller with a session cookie", async () => {
    const count = () => api.query("SELECT 1 FROM links");
    const before = await count();
    const cookie = user.browser.cookie.split("; ").filter((each) => each.startsWith("sid"));
    const browser = { ...user.browser, cookie: cookie.join("; ") };
    await expectUnavailable(await api.post("/api/generate", product, browser));
    expect(await count()).toEqual(before);
  });

  it.each([
    ["of a token", () => ({ ...user.browser, ...bearer(user.token) })],
    ["who is logged in at the identity provider", () => user.browser],
  ])("creates a link for the user %s", async (_title, headers) => {
    const response = await api.post("/api/generate", product, headers());
    const { shortCode } = GeneratedLink.parse(await response.json());
    expect(await api.query(`SELECT user_id FROM links WHERE short_code = '${shortCode}'`)).toEqual([
      { user_id: user.user.id },
    ]);
  });
});

it("ends all sessions without errors when Redis loses its data", async () => {
  await api.redis.flushall();
  const response = await links(user.browser);
  expect([response.status, await response.text()]).toEqual([401, ERRORS["login-required"].message]);
  user = { ...user, browser: await logIn(api, user, user.browser) };
  expect((await links(user.browser)).status).toBe(200);
});

describe("with the Redis of the sessions full", () => {
  afterEach(() => api.redis.config("SET", "maxmemory", "0"));

  it("reads and ends sessions, but creates none", async () => {
    const other = await signUpUser(api);
    for (const key of await api.redis.keys("session:*")) {
      const session = JSON.parse((await api.redis.get(key)) ?? "");
      await api.redis.set(key, JSON.stringify({ ...session, lastSeenAt: 0 }), "KEEPTTL");
    }
    await api.redis.config("SET", "maxmemory", "1");
    expect((await links(user.browser)).status).toBe(200);
    await expectUnavailable(await postLogin(api, other));
    expect((await api.request("POST", "/api/logout", other.browser)).status).toBe(200);
    expect((await links(other.browser)).status).toBe(401);
  });
});

it("an operator's key blocks a user also while it is unresponsive, and their sessions are refused afterwards", async () => {
  const blocked = await signUpUser(api);
  await makeOperator(api, user);
  const { script } = await addKey(api, user, ["operator"]);
  await redis.freeze();
  const path = `/api/operator/users/${blocked.user.id}/state`;
  const response = await api.request("PUT", path, script, { state: "blocked" });
  expect(response.status).toBe(200);
  await redis.resume();
  await waitUntilAvailable();
  expect((await links(blocked.browser)).status).toBe(401);
});
