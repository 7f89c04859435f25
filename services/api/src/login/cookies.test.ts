import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi, type TestApiOptions } from "../testing/test-api.ts";
import { createBackendUser, newBrowser, postLogin, signUpUser, withCookies } from "../testing/test-user.ts";

const OLD_KEY = "the-old-key-that-signs-the-cookies";
const NEW_KEY = "the-new-key-that-signs-the-cookies";

let redis: ControlledRedis;
const apis: TestApi[] = [];

async function startApi(sessionKeys: string[], publicBaseUrl = "http://localhost:8080", options: TestApiOptions = {}) {
  const settings = { PUBLIC_BASE_URL: publicBaseUrl, REDIS_SESSION_URL: redis.url };
  const api = await startTestApi({ ...settings, SESSION_KEYS: sessionKeys }, options);
  apis.push(api);
  return api;
}

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const api of apis.toReversed()) await api.stop();
  await redis.remove();
});

describe("the session cookie on an https site", () => {
  it.each([{}, { "x-forwarded-proto": "http" }, { "x-forwarded-proto": "https" }])(
    "sets a secure cookie that is bound to the host, regardless of proxy headers: %j",
    async (headers) => {
      const api = await startApi([NEW_KEY], "https://tap.example");
      const account = await createAccount(api);
      await createBackendUser(api, account);
      const browser = { ...newBrowser(api), ...headers };
      const response = await postLogin(api, account, browser);
      const attributes = "; path=/; expires=.*; samesite=lax; secure; httponly$";
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(new RegExp(`^__Host-sid=[\\w-]{43}${attributes}`, "i")),
        expect.stringMatching(new RegExp(`^__Host-sid\\.sig=[\\w-]+${attributes}`, "i")),
      ]);
      const signedIn = withCookies(browser, response);
      expect((await api.request("GET", "/api/sessions", signedIn)).status).toBe(200);
      const logout = await api.request("POST", "/api/logout", signedIn);
      expect(withCookies(signedIn, logout).cookie).toBe("");
    },
  );
});

describe("the keys that sign cookies", () => {
  it("rotates the keys without ending sessions", async () => {
    const before = await startApi([OLD_KEY]);
    const { browser } = await signUpUser(before);
    const during = await startApi([NEW_KEY, OLD_KEY], undefined, { replicaOf: before });
    const response = await during.request("GET", "/api/sessions", browser);
    expect(response.status).toBe(200);
    const renewedBrowser = withCookies(browser, response);
    const after = await startApi([NEW_KEY], undefined, { replicaOf: before });
    expect((await after.request("GET", "/api/sessions", renewedBrowser)).status).toBe(200);
    expect((await after.request("GET", "/api/sessions", browser)).status).toBe(401);
  });
});
