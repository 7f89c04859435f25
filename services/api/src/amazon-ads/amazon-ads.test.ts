import { createHash } from "node:crypto";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  ADS_SETTINGS,
  type AmazonAdsTest,
  connect,
  consent,
  followCallback,
  startAmazonAdsTest,
  startLogin,
} from "../testing/test-amazon-ads.ts";
import { startTestApi } from "../testing/test-api.ts";
import { logIn, newBrowser, signUpUser, type TestUser } from "../testing/test-user.ts";

let test: AmazonAdsTest;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest();
  ada = await signUpUser(test.api);
  bob = await signUpUser(test.api);
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.api.query("TRUNCATE amazon_ads_connections");
  test.standIn.requests.length = 0;
});

const connection = (user: TestUser, method = "GET") =>
  test.api.request(method, "/api/amazon-ads/connection", user.browser);
const connections = () => test.api.query("SELECT user_id FROM amazon_ads_connections");
const tokenRequests = () => test.standIn.requests.filter(({ url }) => url === "/auth/o2/token");

describe("the login page at Amazon", () => {
  it("gets what Login with Amazon requires, with a new state and code challenge each time", async () => {
    const [one, other] = await Promise.all([startLogin(test.api, ada.browser), startLogin(test.api, ada.browser)]);
    const url = new URL(one);
    expect(url.origin + url.pathname).toBe("https://www.amazon.com/ap/oa");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "amzn1.application-oa2-client.stand-in",
      scope: "profile advertising::campaign_management",
      response_type: "code",
      redirect_uri: "http://localhost:8080/api/amazon-ads/callback",
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    for (const name of ["state", "code_challenge"])
      expect(new URL(other).searchParams.get(name)).not.toBe(url.searchParams.get(name));
  });

  it("has a state that Redis keeps hashed for ten minutes", async () => {
    const state = new URL(await startLogin(test.api, ada.browser)).searchParams.get("state") ?? "";
    const hash = createHash("sha256").update(state).digest("base64url");
    const ttl = await test.api.redis.pttl(`amazon-ads-login:${hash}`);
    expect(ttl).toBeGreaterThan(9 * 60_000);
    expect(ttl).toBeLessThanOrEqual(10 * 60_000);
    expect(await test.api.redis.get(`amazon-ads-login:${hash}`)).not.toContain(state);
  });
});

it("responds 503 if Amazon Ads is not configured", async () => {
  const api = await startTestApi();
  const { browser } = await signUpUser(api);
  const response = await api.request("GET", "/api/amazon-ads/auth-url", browser);
  expect([response.status, await response.text()]).toEqual([503, messages.adsNotConfigured]);
  const callback = new URL("http://localhost:8080/api/amazon-ads/callback?state=x&code=y");
  expect(await followCallback(api, browser, callback)).toBe("failed");
  await api.stop();
});

describe("the callback", () => {
  it("connects the user, who alone sees the account, and says so in the audit log", async () => {
    await test.api.query("DELETE FROM audit_log");
    expect(await connect(test, ada.browser)).toBe("connected");
    expect(await (await connection(ada)).json()).toEqual({
      connection: {
        accountName: "Anna Advertiser",
        accountEmail: "anna.advertiser@amazon.example",
        connectedAt: expect.any(String),
      },
    });
    expect(await (await connection(bob)).json()).toEqual({ connection: null });
    expect(await test.api.query("SELECT actor, action, owner_id FROM audit_log")).toEqual([
      { actor: "user", action: "amazon-ads-connection.created", owner_id: ada.user.id },
    ]);
  });

  it("reports that the user did not consent", async () => {
    const page = await startLogin(test.api, ada.browser);
    const callback = await consent(test.standIn, page, { consent: "cancel" });
    expect(await followCallback(test.api, ada.browser, callback)).toBe("denied");
    expect(await connections()).toEqual([]);
  });

  it("works for one of many concurrent requests", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    const results = await Promise.all(
      Array.from({ length: 20 }, () => followCallback(test.api, ada.browser, callback)),
    );
    expect(results.filter((result) => result === "connected")).toHaveLength(1);
    expect(tokenRequests()).toHaveLength(1);
  });

  it.each([
    ["without a state", (query: URLSearchParams) => query.delete("state")],
    ["with an unknown state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
    ["with two states", (query: URLSearchParams) => query.append("state", "another")],
    ["with a huge state", (query: URLSearchParams) => query.set("state", "x".repeat(9_000))],
    ["without a code", (query: URLSearchParams) => query.delete("code")],
  ])("fails %s, without a request to Amazon", async (_case, change) => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    change(callback.searchParams);
    expect(await followCallback(test.api, ada.browser, callback)).toBe("failed");
    expect(tokenRequests()).toEqual([]);
    expect(await connections()).toEqual([]);
  });

  it("logs OAuth error codes of Amazon, but no other text", async () => {
    for (const error of ["invalid_scope", "<b>anything</b>"]) {
      const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
      callback.searchParams.delete("code");
      callback.searchParams.set("error", error);
      expect(await followCallback(test.api, ada.browser, callback)).toBe("failed");
    }
    const log = JSON.stringify(test.api.lines);
    expect(log).toContain("has no code (invalid_scope)");
    expect(log).not.toContain("anything");
  });

  it("fails for another user and in another session, and connects nothing", async () => {
    for (const other of [bob.browser, await logIn(test.api, ada)]) {
      const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
      expect(await followCallback(test.api, other, callback)).toBe("failed");
    }
    expect(await connections()).toEqual([]);
  });

  it("fails without a session, and still works afterwards in the session that started the login", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    expect(await followCallback(test.api, newBrowser(test.api), callback)).toBe("failed");
    expect(await followCallback(test.api, ada.browser, callback)).toBe("connected");
  });

  it("fails with the code of another login, which has another verifier", async () => {
    const [one, other] = await Promise.all([
      startLogin(test.api, ada.browser).then((page) => consent(test.standIn, page)),
      startLogin(test.api, ada.browser).then((page) => consent(test.standIn, page)),
    ]);
    one.searchParams.set("code", other.searchParams.get("code") ?? "");
    expect(await followCallback(test.api, ada.browser, one)).toBe("failed");
    expect(tokenRequests()).toHaveLength(1);
  });

  it.each(["token-hangs", "token-is-a-page", "token-refused", "profile-refused"])(
    "fails for the outcome %s of Amazon, and keeps the previous connection",
    async (account) => {
      expect(await connect(test, ada.browser)).toBe("connected");
      expect(await connect(test, ada.browser, { account })).toBe("failed");
      expect(await connections()).toEqual([{ user_id: ada.user.id }]);
    },
    20_000,
  );
});

it("does not count callbacks that wait for Amazon as work in progress", async () => {
  const callbacks = [];
  for (let i = 0; i <= MAX_REQUESTS_IN_PROGRESS; i += 1) {
    const page = await startLogin(test.api, ada.browser);
    callbacks.push(await consent(test.standIn, page, { account: "token-hangs" }));
  }
  const hanging = callbacks.map((callback) => followCallback(test.api, ada.browser, callback));
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(["failed"]));
  expect(tokenRequests()).toHaveLength(hanging.length);
}, 30_000);

it("disconnecting deletes only the connection of the user, and is idempotent", async () => {
  await connect(test, ada.browser);
  await connect(test, bob.browser);
  for (const _time of ["first", "second"]) {
    const response = await connection(ada, "DELETE");
    expect([response.status, await response.json()]).toEqual([200, {}]);
  }
  expect(await connections()).toEqual([{ user_id: bob.user.id }]);
});

describe("while the Redis of the sessions is unavailable", () => {
  it("no login starts, and the callback redirects to the page", async () => {
    const redis = await startRedis();
    const separate = await startAmazonAdsTest({ REDIS_SESSION_URL: redis.url }, { redisBudgetMs: 250 });
    const { browser } = await signUpUser(separate.api);
    const callback = await consent(separate.standIn, await startLogin(separate.api, browser));
    await redis.kill();
    const response = await separate.api.request("GET", "/api/amazon-ads/auth-url", browser);
    expect([response.status, await response.text()]).toEqual([503, messages.unavailable]);
    expect(await followCallback(separate.api, browser, callback)).toBe("failed");
    await separate.stop();
    await redis.remove();
  });
});

it("tokens are encrypted in Postgres, and in no log, metric or key of Redis", async () => {
  for (const account of ["token-refused", "token-is-a-page", "profile-refused", "anna"])
    await connect(test, ada.browser, { account });
  const Row = z.object({ all: z.string(), sealed: z.string() });
  const [row] = await test.api.query(
    "SELECT c::text AS all, sealed_refresh_token AS sealed FROM amazon_ads_connections c",
  );
  const { all, sealed } = Row.parse(row);
  expect(sealed).toMatch(/^[\w-]{8}\.[\w-]+$/);
  const forms = tokenRequests().map(({ body }) => new URLSearchParams(body));
  const secrets = forms.flatMap((form) =>
    ["code", "code_verifier", "client_secret"].map((name) => String(form.get(name))),
  );
  expect(secrets).toHaveLength(12);
  const outputs = [
    all,
    JSON.stringify(test.api.lines),
    await test.api.context.registry.metrics(),
    (await test.api.redis.keys("*")).join("\n"),
  ];
  for (const secret of [...secrets, ...(ADS_SETTINGS.ENCRYPTION_KEYS ?? []), "Atza|", "Atzr|"])
    for (const output of outputs) expect(output).not.toContain(secret);
});
