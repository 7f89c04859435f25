import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { User } from "@tapthru/proto/accounts";
import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { IdentityProvider } from "../callers/identity.ts";
import { checkAccess } from "../testing/access-checks.ts";
import {
  changeEmail,
  createAccount,
  deleteAccount,
  revokeTokens,
  setUnverifiedEmail,
  signIn,
  type TestAccount,
  verifyEmail,
} from "../testing/test-accounts.ts";
import { startTestApi } from "../testing/test-api.ts";
import {
  bearer,
  createBackendUser,
  newBrowser,
  postLogin,
  postUser,
  signUpUser,
  type TestUser,
} from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";
import { accountKey, createAccountChecks } from "./account-checks.ts";

let account: TestAccount;
const api = await startApi({ LOG_LEVEL: "warn" });
beforeEach(async () => {
  await api.empty();
  account = await createAccount(api);
});

const create = (changes: object = {}, by = account) => postUser(api, by, { username: "ada", ...changes });

async function outcome(request: Response | Promise<Response>) {
  const response = await request;
  return [response.status, await response.text()];
}

const users = () => api.query("SELECT username, email, firebase_uid FROM users ORDER BY id");

describe("POST /api/users", () => {
  it("creates the user of a login, and returns the same user for a repeated request", async () => {
    const first = await create();
    expect(first.status).toBe(201);
    const user = await first.json();
    expect(user).toEqual({
      id: expect.any(Number),
      username: "ada",
      email: account.email,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      isOperator: false,
      displayedName: null,
      showsDisclosure: false,
      emailIsVerified: expect.any(Boolean),
      weeklyEmail: null,
    });
    const again = await create({ username: "another name" });
    expect([again.status, await again.json()]).toEqual([200, user]);
  });

  it("creates one user for 30 identical concurrent requests", async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => create()));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(29).fill(200), 201]);
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["another case", "ADA"],
    ["a zero-width space", "a\u200Bda"],
  ])("rejects a username that looks like another user's: %s", async (_title, username) => {
    expect((await create()).status).toBe(201);
    expect(await outcome(create({ username }, await createAccount(api)))).toEqual([
      409,
      ERRORS["username-taken"].message,
    ]);
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["username", "username", ERRORS["username-taken"].message],
    ["verified email address", "email", ERRORS["email-taken"].message],
  ])("reports that the %s is taken", async (_title, field, message) => {
    await verifyEmail(api, account);
    const taken = { username: "ada", email: account.email };
    const other = { username: "other", email: "other@example.com", [field]: taken[field as "email"] };
    await api.query(`INSERT INTO users (username, email, email_is_verified, firebase_uid)
      VALUES ('${other.username}', '${other.email}', true, 'other')`);
    const headers = { ...newBrowser(api), accept: "application/problem+json" };
    const problem = await postUser(api, account, { username: "ada" }, headers);
    expect(await problem.json()).toMatchObject({ status: 409, field, title: message });
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["uid", { firebaseUid: "another-uid" }],
    ["email address", { email: "other@example.com" }],
  ])("rejects the %s of another account", async (_title, changes) => {
    expect(await outcome(create(changes))).toEqual([403, ERRORS["not-allowed"].message]);
    expect(await users()).toEqual([]);
  });
});

describe("an email address that a user took without verifying it", () => {
  it("another account may take an unverified address, which it alone can verify at the provider", async () => {
    const first = await signUpUser(api);
    await api.query("UPDATE users SET email_is_verified = false");
    await deleteAccount(api, first);
    const second = await createAccount(api, first.email);
    const user = await createBackendUser(api, second);
    expect([user.email, user.id === first.user.id]).toEqual([first.email, false]);
    await verifyEmail(api, second);
    expect((await postLogin(api, second)).status).toBe(200);
    expect(await api.query("SELECT email_is_verified FROM users ORDER BY id")).toEqual([
      { email_is_verified: false },
      { email_is_verified: true },
    ]);
  });
});

describe("GET /api/users/{uid}", () => {
  const get = (uid: string, headers = {}) => api.request("GET", `/api/users/${uid}`, headers);

  it("returns the user to the user, by token or by session", async () => {
    const { uid, token, browser, user } = await signUpUser(api);
    for (const headers of [bearer(token), browser]) {
      expect(User.parse(await (await get(uid, headers)).json())).toEqual(user);
    }
  });

  it("responds to everyone else as if the user did not exist", async () => {
    const one = await signUpUser(api);
    const other = await signUpUser(api);
    const unknown = await outcome(get("unknown-uid", other.browser));
    expect(unknown).toEqual([404, ERRORS["account-not-found"].message]);
    for (const headers of [{}, other.browser, bearer(other.token), bearer("garbage")]) {
      expect(await outcome(get(one.uid, headers))).toEqual(unknown);
    }
  });
});

describe("rename user", () => {
  let user: TestUser;
  beforeEach(async () => {
    user = await signUpUser(api);
  });

  const rename = (body: unknown, headers: Record<string, string> = user.browser, uid = user.uid) =>
    api.request("PATCH", `/api/users/${uid}`, headers, body);
  async function storedName({ uid, browser }: TestUser = user): Promise<string> {
    const response = await api.request("GET", `/api/users/${uid}`, browser);
    return User.parse(await response.json()).username;
  }

  describe("PATCH /api/users/:firebaseUid", () => {
    it("changes the username by the rules of the sign-up", async () => {
      const response = await rename({ username: "  Ａnna  " });
      expect([response.status, await response.json()]).toEqual([200, { ...user.user, username: "Anna" }]);
      expect(await storedName()).toBe("Anna");
    });

    it("changes what pages of the user's links say, and nothing else", async () => {
      const shown = { displayedName: "  אנה's\u202e kitchen", showsDisclosure: true };
      const changed = { ...user.user, displayedName: "אנה's kitchen", showsDisclosure: true };
      expect(await (await rename(shown)).json()).toEqual(changed);
      expect(await (await rename({ displayedName: null })).json()).toEqual({ ...changed, displayedName: null });
      expect(await outcome(rename({ displayedName: "x".repeat(61) }))).toEqual([
        422,
        "A displayed name must be at most 60 characters",
      ]);
    });

    it("refuses a name that looks like another user's, and accepts another form of one's own", async () => {
      const other = await signUpUser(api);
      await rename({ username: "Anna" });
      const response = await rename({ username: "ANNA\u200b" }, other.browser, other.uid);
      expect([response.status, await response.text()]).toEqual([409, ERRORS["username-taken"].message]);
      expect(await storedName(other)).toBe(other.user.username);
      expect((await rename({ username: "ANNA" })).status).toBe(200);
    });
  });
});

describe("sync email", () => {
  let user: TestUser;
  let newEmail: string;
  beforeEach(async () => {
    user = await signUpUser(api);
    newEmail = `${randomBytes(6).toString("hex")}@example.com`;
  });

  /** Logs in with the address at the provider. @returns the email address in the response */
  async function logInAs(email: string, browser?: Record<string, string>): Promise<string> {
    const response = await postLogin(api, await signIn(api, { email }), browser);
    return User.parse(await response.json()).email;
  }

  describe("the stored email address after a change at the provider", () => {
    it("stores the new address from the next login on", async () => {
      await changeEmail(api, user, newEmail);
      expect(await logInAs(newEmail)).toBe(newEmail);
      const stored = await api.query("SELECT email FROM users");
      expect(stored).toEqual([{ email: newEmail }]);
    });

    it("stores the new address when a live session is confirmed", async () => {
      await changeEmail(api, user, newEmail);
      expect(await logInAs(newEmail, user.browser)).toBe(newEmail);
    });

    it("keeps the address if the new one is not verified", async () => {
      await setUnverifiedEmail(api, user, newEmail);
      expect(await logInAs(newEmail)).toBe(user.email);
    });

    it("keeps the address while another user has the new one, and the login succeeds", async () => {
      const other = await createAccount(api);
      await createBackendUser(api, other);
      await api.query(`UPDATE users SET email = '${newEmail}', email_is_verified = true
      WHERE firebase_uid = '${other.uid}'`);
      await changeEmail(api, user, newEmail);
      expect(await logInAs(newEmail)).toBe(user.email);
      expect(api.lines.map(({ event }) => event)).toContain("email_not_updated");
      await api.query(`DELETE FROM users WHERE firebase_uid = '${other.uid}'`);
      expect(await logInAs(newEmail)).toBe(newEmail);
    });
  });
});

describe("the api with the built-in identity provider", () => {
  checkAccess({
    startApi: startTestApi,
    createAccount,
    proofOf: ({ login }) => login,
    ended: ERRORS["login-required"].message,
    ends: [
      ["revoked", revokeTokens],
      ["deleted", deleteAccount],
    ],
  });
});

describe("account checks", () => {
  const { logger, lines } = createTestLogger();
  const AUTH_TIME = 1_700_000_000;
  let redis: RequestRedis;
  let session: { firebaseUid: string; authTime: number; createdAt: number };
  let uid: string;

  beforeAll(async () => {
    const url = process.env.TEST_REDIS_URL ?? "";
    redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
    await redis.start?.();
  });
  afterAll(() => redis.stop?.());
  beforeEach(() => {
    uid = randomUUID();
    session = { firebaseUid: uid, authTime: AUTH_TIME, createdAt: Date.now() - randomInt(1, 1_000) };
  });

  /**
   * Uses a provider that finds the account usable with these logins, not usable, or is unavailable, and records the requests to
   * it.
   */
  function createChecks(account: { loginsValidFrom: number } | "disabled" | "unavailable") {
    const requests: (readonly string[])[] = [];
    const identity: Pick<IdentityProvider, "findUsable"> = {
      async findUsable(uids) {
        requests.push(uids);
        if (account === "unavailable") return account;
        return new Map(account === "disabled" ? [] : [[uid, account.loginsValidFrom]]);
      },
    };
    return { requests, ...createAccountChecks({ redis, identity, logger }) };
  }

  const usable = { loginsValidFrom: 0 };

  describe("the check of an account", () => {
    it("requests it once in 15 minutes, for sessions and keys together", async () => {
      const { requests, ...checks } = createChecks(usable);
      for (let i = 0; i < 3; i++) {
        expect(await checks.hasLoginEnded(session)).toBe(false);
        expect(await checks.isDisabled(uid)).toBe(false);
      }
      expect(requests).toEqual([[uid]]);
      const ttlMs = await redis.run((client) => client.pttl(accountKey(uid)));
      expect(ttlMs).toBeGreaterThan(14 * 60_000);
      expect(ttlMs).toBeLessThanOrEqual(15 * 60_000);
    });

    it("ten concurrent processes check an account once", async () => {
      const { requests, hasLoginEnded } = createChecks(usable);
      await Promise.all(Array.from({ length: 10 }, () => hasLoginEnded(session)));
      expect(requests).toHaveLength(1);
    });

    it("says for all replicas that an account is disabled, until it is checked again", async () => {
      expect(await createChecks("disabled").isDisabled(uid)).toBe(true);
      const other = createChecks(usable);
      expect([await other.isDisabled(uid), await other.hasLoginEnded(session)]).toEqual([true, true]);
      await redis.run((client) => client.del(accountKey(uid)));
      expect(await other.isDisabled(uid)).toBe(false);
      expect(await other.hasLoginEnded(session)).toBe(false);
    });

    it("the check does not end a session that begins while the provider responds", async () => {
      let createdAt = 0;
      const identity = {
        async findUsable() {
          const askedAt = Date.now();
          await vi.waitUntil(() => Date.now() > askedAt, { interval: 1, timeout: 60_000 });
          createdAt = Date.now();
          await vi.waitUntil(() => Date.now() > createdAt, { interval: 1, timeout: 60_000 });
          return new Map();
        },
      };
      await createAccountChecks({ redis, identity, logger }).isDisabled(uid);
      expect(await createChecks(usable).hasLoginEnded({ ...session, createdAt })).toBe(false);
    });

    it("says that logins before a revocation have ended, and not the account", async () => {
      const createdAt = AUTH_TIME * 1_000;
      const { isDisabled, hasLoginEnded } = createChecks({ loginsValidFrom: createdAt + 1 });
      expect(await hasLoginEnded({ ...session, createdAt })).toBe(true);
      expect(await hasLoginEnded({ ...session, createdAt, authTime: AUTH_TIME + 1 })).toBe(false);
      expect(await hasLoginEnded({ ...session, createdAt: createdAt + 1 })).toBe(false);
      expect(await isDisabled(uid)).toBe(false);
    });

    it("counts the account as usable while the provider is unavailable, and is repeated", async () => {
      const { requests, isDisabled, hasLoginEnded } = createChecks("unavailable");
      expect([await isDisabled(uid), await hasLoginEnded(session)]).toEqual([false, false]);
      expect(requests).toHaveLength(2);
    });

    it("skips the check while Redis is unavailable", async () => {
      const url = "redis://127.0.0.1:1";
      const unavailable = createRequestRedis({ url, name: "session", budgetMs: 50, logger });
      const identity = { findUsable: async () => new Map() };
      const checks = createAccountChecks({ redis: unavailable, identity, logger });
      expect([await checks.isDisabled(uid), await checks.hasLoginEnded(session)]).toEqual([false, false]);
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      await unavailable.stop?.();
    });
  });
});
