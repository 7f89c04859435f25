import { messages } from "@tapthru/proto/rules/messages";
import { type ControlledRedis, createControlledRedis } from "@tapthru/runtime/testing/own-redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createAccount,
  disableAccount,
  EMULATOR_START_MS,
  revokeTokens,
  type TestAccount,
} from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import {
  bearer,
  createBackendUser,
  logIn,
  newBrowser,
  postLogin,
  signUpUser,
  withCookies,
} from "../testing/test-user.ts";

let redis: ControlledRedis;
let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  redis = await createControlledRedis();
  await redis.start();
  api = await startTestApi({ REDIS_SESSION_URL: redis.url });
  account = await createAccount();
}, EMULATOR_START_MS);
afterAll(async () => {
  await api.stop();
  await redis.remove();
});
beforeEach(() => api.empty());

const sessions = () => api.redis.keys("session:*");

describe("POST /api/login", () => {
  it("gives the holder of a token his user and a session", async () => {
    const user = await createBackendUser(api, account);
    const answer = await postLogin(api, account);
    expect([answer.status, await answer.json()]).toEqual([200, user]);
    const browser = withCookies(newBrowser(api), answer);
    const links = await api.ask("GET", "/api/links", browser);
    expect([links.status, await links.json()]).toEqual([200, []]);
  });

  it("gives a signed cookie that no script reads and no foreign page sends along", async () => {
    await createBackendUser(api, account);
    const cookies = (await postLogin(api, account)).headers.getSetCookie();
    const attributes = "; path=/; expires=.*; samesite=lax; httponly$";
    expect(cookies).toEqual([
      expect.stringMatching(new RegExp(`^sid=[\\w-]{43}${attributes}`, "i")),
      expect.stringMatching(new RegExp(`^sid\\.sig=[\\w-]+${attributes}`, "i")),
    ]);
  });

  it("leaves a live session of the same user as it is", async () => {
    const { browser, ...user } = await signUpUser(api);
    const before = await sessions();
    const answer = await postLogin(api, user, browser);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(await sessions()).toEqual(before);
  });

  it("gives a new session to a user whose row was lost and made anew", async () => {
    const { browser, ...user } = await signUpUser(api);
    await api.rows("TRUNCATE users CASCADE");
    expect((await postLogin(api, user, browser)).status).toBe(404);
    const { id } = await createBackendUser(api, user);
    const again = await logIn(api, user, browser);
    expect(again.cookie).not.toBe(browser.cookie);
    const answer = await api.ask("GET", `/api/users/${user.uid}`, again);
    expect(await answer.json()).toMatchObject({ id });
  });

  it("answers 404 where the backend has no such user", async () => {
    const answer = await postLogin(api, account);
    expect([answer.status, await answer.text()]).toEqual([404, messages.accountNotFound]);
  });

  describe("gives no session, and leaves none behind,", () => {
    let before: string[];
    beforeEach(async () => {
      before = await sessions();
    });

    async function refused(answer: Response, status: number, sentence: string): Promise<void> {
      expect([answer.status, await answer.text()]).toEqual([status, sentence]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await sessions()).toEqual(before);
    }

    it("without a token", async () => {
      const answer = await api.post("/api/login", { firebaseUid: account.uid });
      await refused(answer, 401, messages.loginRequired);
    });

    it("for garbage", async () => {
      const answer = await postLogin(api, { ...account, token: "a.b.c" });
      await refused(answer, 401, messages.badToken);
    });

    it("for the token of another", async () => {
      await createBackendUser(api, account);
      const { token } = await createAccount();
      const answer = await postLogin(api, { uid: account.uid, token });
      await refused(answer, 403, messages.notAllowed);
    });

    it.each([
      ["revoked", revokeTokens],
      ["disabled", disableAccount],
    ])("for an account that was %s", async (_title, end) => {
      const ended = await createAccount();
      await createBackendUser(api, ended);
      await end(ended);
      await refused(await postLogin(api, ended), 401, messages.badToken);
    });

    it("for more fields than it takes", async () => {
      const body = { firebaseUid: account.uid, userId: 1 };
      const answer = await api.post("/api/login", body, bearer(account.token));
      await refused(answer, 422, messages.unexpectedField("userId"));
    });

    it("from another site, with the visitor's own cookies or without", async () => {
      await createBackendUser(api, account);
      for (const cookie of ["", "claim=x"]) {
        const browser = { origin: "https://evil.example", ...(cookie && { cookie }) };
        await refused(await postLogin(api, account, browser), 403, messages.foreignOrigin);
      }
    });
  });
});

describe("POST /api/logout", () => {
  it("ends the session and takes the cookies away", async () => {
    const { browser } = await signUpUser(api);
    const answer = await api.ask("POST", "/api/logout", browser);
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(withCookies(browser, answer).cookie).toBe("");
    const replayed = await api.ask("GET", "/api/links", browser);
    expect([replayed.status, await replayed.text()]).toEqual([401, messages.loginRequired]);
  });

  it("is all right without a session, with a dead one and with a forged one", async () => {
    const { browser } = await signUpUser(api);
    await api.ask("POST", "/api/logout", browser);
    const forged = { ...browser, cookie: "sid=abc; sid.sig=abc" };
    for (const headers of [{}, browser, forged]) {
      const answer = await api.ask("POST", "/api/logout", headers);
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
    }
  });

  it("leaves the user's other sessions alone", async () => {
    const { browser, ...user } = await signUpUser(api);
    const other = await logIn(api, user);
    await api.ask("POST", "/api/logout", browser);
    expect((await api.ask("GET", "/api/links", other)).status).toBe(200);
  });
});
