import { createHash } from "node:crypto";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
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

const authUrl = (browser: Record<string, string>, query = "") =>
  test.api.request("GET", `/api/amazon-ads/auth-url${query}`, browser);
const connections = () =>
  test.api.query("SELECT user_id, region FROM amazon_ads_connections ORDER BY user_id");
const tokenRequests = () => test.standIn.requests.filter(({ url }) => url === "/auth/o2/token");

describe("the login page at Amazon", () => {
  it.each([
    ["", "https://www.amazon.com/ap/oa"],
    ["?region=na", "https://www.amazon.com/ap/oa"],
    ["?region=eu", "https://eu.account.amazon.com/ap/oa"],
    ["?region=fe", "https://apac.account.amazon.com/ap/oa"],
  ])("for the query %j is %s", async (query, page) => {
    const response = await authUrl(ada.browser, query);
    expect(response.status).toBe(200);
    const url = new URL(z.object({ url: z.string() }).parse(await response.json()).url);
    expect(url.origin + url.pathname).toBe(page);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "amzn1.application-oa2-client.stand-in",
      scope: "profile advertising::campaign_management",
      response_type: "code",
      redirect_uri: "http://localhost:8080/api/amazon-ads/callback",
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  it("has a new state and code challenge each time", async () => {
    const parts = async () => {
      const { searchParams } = new URL(await startLogin(test.api, ada.browser));
      return [searchParams.get("state"), searchParams.get("code_challenge")];
    };
    const all = [...(await parts()), ...(await parts())];
    expect(new Set(all).size).toBe(4);
  });

  it.each(["?region=mars", "?region=", "?region=na&region=eu"])(
    "is rejected for %s",
    async (query) => {
      expect((await authUrl(ada.browser, query)).status).toBe(400);
    },
  );

  it("requires a session", async () => {
    const response = await authUrl(newBrowser(test.api));
    expect([response.status, await response.text()]).toEqual([401, messages.loginRequired]);
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
  const connection = await api.request("GET", "/api/amazon-ads/connection", browser);
  expect(await connection.json()).toEqual({ connection: null });
  const callback = new URL("http://localhost:8080/api/amazon-ads/callback?state=x&code=y");
  expect(await followCallback(api, browser, callback)).toBe("failed");
  await api.stop();
});

describe("the callback", () => {
  it.each(["na", "eu", "fe"] as const)("connects the user in the region %s", async (region) => {
    expect(await connect(test, ada.browser, { region })).toBe("connected");
    expect(await connections()).toEqual([{ user_id: ada.user.id, region }]);
  });

  it("records the connection as the user's", async () => {
    await test.api.query("DELETE FROM audit_log");
    await connect(test, ada.browser, { region: "eu" });
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

  it("works once", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    expect(await followCallback(test.api, ada.browser, callback)).toBe("connected");
    await test.api.query("TRUNCATE amazon_ads_connections");
    expect(await followCallback(test.api, ada.browser, callback)).toBe("failed");
    expect(tokenRequests()).toHaveLength(1);
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
    [
      "with an error other than a denied consent",
      (query: URLSearchParams) => {
        query.delete("code");
        query.set("error", "server_error");
      },
    ],
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

  it("fails for another user, and connects nothing", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    expect(await followCallback(test.api, bob.browser, callback)).toBe("failed");
    expect(await connections()).toEqual([]);
  });

  it("fails in another session of the same user", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    expect(await followCallback(test.api, await logIn(test.api, ada), callback)).toBe("failed");
    expect(await connections()).toEqual([]);
  });

  it("fails without a session, and still works afterwards in the session that started the login", async () => {
    const callback = await consent(test.standIn, await startLogin(test.api, ada.browser));
    expect(await followCallback(test.api, newBrowser(test.api), callback)).toBe("failed");
    expect(await followCallback(test.api, ada.browser, callback)).toBe("connected");
  });

  it("fails with a code of another region", async () => {
    const page = await startLogin(test.api, ada.browser, "na");
    const europeanPage = page.replace("www.amazon.com", "eu.account.amazon.com");
    const callback = await consent(test.standIn, europeanPage);
    expect(await followCallback(test.api, ada.browser, callback)).toBe("failed");
    expect(tokenRequests().map(({ host }) => host)).toEqual(["api.amazon.com"]);
    expect(await connections()).toEqual([]);
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

  it.each([
    "code-too-old",
    "token-hangs",
    "token-fails",
    "token-is-a-page",
    "token-refused",
    "profile-refused",
    "ads-refused",
  ])(
    "fails for the outcome %s of Amazon, and keeps the previous connection",
    async (account) => {
      expect(await connect(test, ada.browser, { region: "fe" })).toBe("connected");
      expect(await connect(test, ada.browser, { account })).toBe("failed");
      expect(await connections()).toEqual([{ user_id: ada.user.id, region: "fe" }]);
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

describe("while the Redis of the sessions is unavailable", () => {
  it("no login starts, and the callback redirects to the page", async () => {
    const redis = await startRedis();
    const separate = await startAmazonAdsTest(
      { REDIS_SESSION_URL: redis.url },
      { redisBudgetMs: 250 },
    );
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
