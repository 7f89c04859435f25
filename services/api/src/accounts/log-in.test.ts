import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createAccount, type TestAccount } from "../testing/test-accounts.ts";
import { createBackendUser, logIn, newBrowser, postLogin, signUpUser, withCookies } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let account: TestAccount;
const redis = await startRedis();
afterAll(() => redis.remove());
const api = await startApi({ REDIS_SESSION_URL: redis.url });
beforeEach(async () => {
  await api.empty();
  account = await createAccount(api);
});

const sessions = () => api.redis.keys("session:*");

describe("POST /api/login", () => {
  it("returns the user of a login and creates a session", async () => {
    const user = await createBackendUser(api, account);
    const response = await postLogin(api, account);
    expect([response.status, await response.json()]).toEqual([200, user]);
    const browser = withCookies(newBrowser(api), response);
    const links = await api.request("GET", "/api/links", browser);
    expect([links.status, await links.json()]).toEqual([200, []]);
  });

  it("keeps a live session of the same user", async () => {
    const { browser, ...user } = await signUpUser(api);
    const before = await sessions();
    const response = await postLogin(api, user, browser);
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    expect(await sessions()).toEqual(before);
  });

  it("creates a new session if the row of the user was lost and created again", async () => {
    const { browser, ...user } = await signUpUser(api);
    await api.query("TRUNCATE users CASCADE");
    expect((await postLogin(api, user, browser)).status).toBe(404);
    const { id } = await createBackendUser(api, user);
    const again = await logIn(api, user, browser);
    expect(again.cookie).not.toBe(browser.cookie);
    const response = await api.request("GET", `/api/users/${user.uid}`, again);
    expect(await response.json()).toMatchObject({ id });
  });

  it("creates no session for a request from another site, with or without cookies", async () => {
    await createBackendUser(api, account);
    const before = await sessions();
    for (const cookie of ["", "claim=x"]) {
      const browser = { origin: "https://evil.example", ...(cookie && { cookie }) };
      const response = await postLogin(api, account, browser);
      expect([response.status, await response.text()]).toEqual([403, ERRORS["bad-origin"].message]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(await sessions()).toEqual(before);
  });
});

describe("POST /api/logout", () => {
  it("ends the session and deletes the cookies", async () => {
    const { browser } = await signUpUser(api);
    const response = await api.request("POST", "/api/logout", browser);
    expect([response.status, await response.json()]).toEqual([200, { redirectUrl: null }]);
    expect(withCookies(browser, response).cookie).not.toContain("sid");
    const replayed = await api.request("GET", "/api/links", browser);
    expect([replayed.status, await replayed.text()]).toEqual([401, ERRORS["login-required"].message]);
  });

  it("succeeds without a session, with an ended one and with a forged one", async () => {
    const { browser } = await signUpUser(api);
    await api.request("POST", "/api/logout", browser);
    const forged = { ...browser, cookie: "sid=abc; sid.sig=abc" };
    for (const headers of [{}, browser, forged]) {
      const response = await api.request("POST", "/api/logout", headers);
      expect([response.status, await response.json()]).toEqual([200, { redirectUrl: null }]);
    }
  });
});
