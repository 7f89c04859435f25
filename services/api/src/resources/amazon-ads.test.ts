import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  ADS_SETTINGS,
  connect,
  consent,
  followCallback,
  startAmazonAdsTest,
  startLogin,
} from "../testing/test-amazon-ads.ts";
import { startTestApi } from "../testing/test-api.ts";
import { logIn, signUpUser, type TestUser } from "../testing/test-user.ts";

const test = await startAmazonAdsTest();
afterAll(() => test.stop());
const { api, standIn } = test;
const [ada, bob] = [await signUpUser(api), await signUpUser(api)];
beforeEach(async () => {
  await api.query("TRUNCATE amazon_ads_connections CASCADE");
  standIn.requests.length = 0;
});

const connection = (user: TestUser, method = "GET") => api.request(method, "/api/amazon-ads/connection", user.browser);
const connections = () => api.query("SELECT user_id FROM amazon_ads_connections");
const tokenRequests = () => standIn.requests.filter(({ url }) => url === "/auth/o2/token");

describe("the login page at Amazon", () => {
  it("sends Amazon's login page what it requires, with a new state and code challenge each time", async () => {
    const [one, other] = await Promise.all([startLogin(api, ada.browser), startLogin(api, ada.browser)]);
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
});

it("responds 503 if Amazon Ads is not configured", async () => {
  const other = await startTestApi();
  const { browser } = await signUpUser(other);
  const response = await other.request("GET", "/api/amazon-ads/auth-url", browser);
  expect([response.status, await response.text()]).toEqual([503, ERRORS["not-configured"].message]);
  const callback = new URL("http://localhost:8080/api/amazon-ads/callback?state=x&code=y");
  expect(await followCallback(other, browser, callback)).toBe("failed");
  await other.stop();
});

describe("the callback", () => {
  it("the callback connects the user, who alone sees the account, and records it in the audit log", async () => {
    await api.query("DELETE FROM audit_log");
    expect(await connect(test, ada.browser)).toBe("connected");
    expect(await (await connection(ada)).json()).toEqual({
      connection: {
        accountName: "Anna Advertiser",
        accountEmail: "anna.advertiser@amazon.example",
        connectedAt: expect.any(String),
      },
    });
    expect(await (await connection(bob)).json()).toEqual({ connection: null });
    expect(await api.query("SELECT actor, action, owner_id FROM audit_log")).toEqual([
      { actor: "user", action: "amazon-ads-connection.created", owner_id: ada.user.id },
    ]);
  });

  it("reports that the user did not consent", async () => {
    const page = await startLogin(api, ada.browser);
    const callback = await consent(standIn, page, { consent: "cancel" });
    expect(await followCallback(api, ada.browser, callback)).toBe("denied");
    expect(await connections()).toEqual([]);
  });

  it("works for one of many concurrent requests", async () => {
    const callback = await consent(standIn, await startLogin(api, ada.browser));
    const results = await Promise.all(Array.from({ length: 20 }, () => followCallback(api, ada.browser, callback)));
    expect(results.filter((result) => result === "connected")).toHaveLength(1);
    expect(tokenRequests()).toHaveLength(1);
  });

  it.each([
    ["without a state", (query: URLSearchParams) => query.delete("state")],
    ["with an unknown state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
    ["without a code", (query: URLSearchParams) => query.delete("code")],
  ])("fails %s, without a request to Amazon", async (_case, change) => {
    const callback = await consent(standIn, await startLogin(api, ada.browser));
    change(callback.searchParams);
    expect(await followCallback(api, ada.browser, callback)).toBe("failed");
    expect(tokenRequests()).toEqual([]);
    expect(await connections()).toEqual([]);
  });

  it("fails for another user and in another session, and connects nothing", async () => {
    for (const other of [bob.browser, await logIn(api, ada)]) {
      const callback = await consent(standIn, await startLogin(api, ada.browser));
      expect(await followCallback(api, other, callback)).toBe("failed");
    }
    expect(await connections()).toEqual([]);
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

it("disconnecting deletes only the connection of the user, and is idempotent", async () => {
  await connect(test, ada.browser);
  await connect(test, bob.browser);
  for (const _time of ["first", "second"]) {
    const response = await connection(ada, "DELETE");
    expect([response.status, await response.json()]).toEqual([200, {}]);
  }
  expect(await connections()).toEqual([{ user_id: bob.user.id }]);
});

it("tokens are encrypted in Postgres, and in no log, metric or key of Redis", async () => {
  for (const account of ["token-refused", "token-is-a-page", "profile-refused", "anna"])
    await connect(test, ada.browser, { account });
  const Row = z.object({ all: z.string(), encrypted: z.string() });
  const [row] = await api.query(
    "SELECT c::text AS all, encrypted_refresh_token AS encrypted FROM amazon_ads_connections c",
  );
  const { all, encrypted } = Row.parse(row);
  expect(encrypted).toMatch(/^[\w-]{8}\.[\w-]+$/);
  const forms = tokenRequests().map(({ body }) => new URLSearchParams(body));
  const secrets = forms.flatMap((form) =>
    ["code", "code_verifier", "client_secret"].map((name) => String(form.get(name))),
  );
  expect(secrets).toHaveLength(12);
  const outputs = [
    all,
    JSON.stringify(api.lines),
    await api.context.registry.metrics(),
    (await api.redis.keys("*")).join("\n"),
  ];
  for (const secret of [...secrets, ...(ADS_SETTINGS.ENCRYPTION_KEYS ?? []), "Atza|", "Atzr|"])
    for (const output of outputs) expect(output).not.toContain(secret);
});
