import { randomUUID } from "node:crypto";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { ERRORS } from "@tapthru/proto/errors";
import { listSessions } from "@tapthru/proto/sessions";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signIn } from "../testing/test-accounts.ts";
import { addKey } from "../testing/test-keys.ts";
import {
  type BrowserHeaders,
  bearer,
  createBackendUser,
  logIn,
  postLogin,
  signUpUser,
  type TestUser,
  withCookies,
} from "../testing/test-user.ts";
import { startApi, startOwnRedis } from "../testing/world.ts";
import { createSessionStore, type SessionStore, type StoredSession } from "./session-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

let user: TestUser;
const redis = await startOwnRedis();
const api = await startApi({ REDIS_SESSION_URL: redis.url });
beforeEach(async () => {
  user = await signUpUser(api);
  await api.redis.flushall();
  user = { ...user, browser: await logIn(api, user) };
});

const links = (browser: BrowserHeaders) => api.request("GET", "/api/links", browser);
const status = async (browser: BrowserHeaders) => (await links(browser)).status;

async function ageSessions(change: (session: Record<string, number>) => object): Promise<void> {
  for (const key of await api.redis.keys("session:*")) {
    const session = JSON.parse((await api.redis.get(key)) ?? "");
    await api.redis.set(key, JSON.stringify({ ...session, ...change(session) }), "KEEPTTL");
  }
}

const ageLastSeen = () => ageSessions(({ lastSeenAt = 0 }) => ({ lastSeenAt: lastSeenAt - 120_000 }));

describe("a session", () => {
  it("a session gets a new id when another user logs in, and the old id ends at once", async () => {
    const other = await signUpUser(api);
    const previous = user.browser;
    const after = await logIn(api, other, previous);
    expect(after.cookie).not.toBe(previous.cookie);
    expect([await status(previous), await status(after)]).toEqual([401, 200]);
    const response = await api.request("GET", `/api/users/${user.uid}`, after);
    expect(response.status).toBe(404);
  });

  it("no id without a valid signature finds a session", async () => {
    const [id = "", signature = ""] = user.browser.cookie.split("; ");
    const changed = id.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const cookie of [id, `${changed}; ${signature}`, `${id}; sid.sig=x`, "sid=; sid.sig="]) {
      expect(await status({ ...user.browser, cookie })).toBe(401);
    }
  });

  it("ends after 7 idle days", async () => {
    await ageSessions(() => ({ _expire: Date.now() - 1 }));
    expect(await status(user.browser)).toBe(401);
  });

  it("each use extends the lifetime of a session in Redis", async () => {
    const [key = ""] = await api.redis.keys("session:*");
    await api.redis.pexpire(key, DAY_MS);
    await ageLastSeen();
    const response = await links(user.browser);
    expect(response.headers.getSetCookie()).toHaveLength(2);
    expect(await api.redis.pttl(key)).toBeGreaterThan(7 * DAY_MS - 60_000);
  });

  it("ends 14 days after the login, used or not", async () => {
    const [key = ""] = await api.redis.keys("session:*");
    await ageSessions(() => ({ createdAt: Date.now() - 14 * DAY_MS + 3_600_000, lastSeenAt: 0 }));
    expect(await status(user.browser)).toBe(200);
    expect(await api.redis.pttl(key)).toBeLessThanOrEqual(3_600_000);
    await ageSessions(() => ({ createdAt: Date.now() - 14 * DAY_MS }));
    expect(await status(user.browser)).toBe(401);
  });

  it("leaves neither its cookie nor the email address in Redis or logs", async () => {
    const stored = [];
    for (const key of await api.redis.keys("*session*")) {
      const type = await api.redis.type(key);
      const value = type === "zset" ? api.redis.zrange(key, 0, "-1") : api.redis.get(key);
      stored.push(key, await value);
    }
    const [, id = "", signature = ""] = /^sid=(.+); sid\.sig=(.+)$/.exec(user.browser.cookie) ?? [];
    expect(id).not.toBe("");
    for (const secret of [id, signature, user.email, user.token]) {
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(JSON.stringify(api.lines)).not.toContain(secret);
    }
  });
});

describe("a logout", () => {
  it("a logout is final in 50 of 50 races with requests that write the session", async () => {
    for (let round = 0; round < 5; round++) {
      const browsers: BrowserHeaders[] = [];
      for (let i = 0; i < 10; i++) browsers.push(await logIn(api, user));
      await ageLastSeen();
      await Promise.all(
        browsers.map(async (browser, i) => {
          const before = Array.from({ length: i % 4 }, () => links(browser));
          const logout = api.request("POST", "/api/logout", browser);
          const after = Array.from({ length: 3 - (i % 4) }, () => links(browser));
          await Promise.all([...before, logout, ...after]);
          expect((await logout).status).toBe(200);
        }),
      );
      expect(await Promise.all(browsers.map(status))).toEqual(Array(10).fill(401));
    }
    expect(await api.redis.keys("session:*")).toHaveLength(1);
  });
});

describe("the user's sessions", () => {
  async function list(browser: BrowserHeaders) {
    const response = await api.request("GET", "/api/sessions", browser);
    return listSessions.replies[200].parse(await response.json());
  }

  it("lists the user's sessions, most recently used first", async () => {
    const phone = await logIn(api, user, { ...user.browser, cookie: "", "user-agent": "A phone" });
    await ageLastSeen();
    await links(user.browser);
    expect(await list(phone)).toEqual([
      expect.objectContaining({ isCurrent: true, userAgent: "A phone" }),
      expect.objectContaining({ isCurrent: false }),
    ]);
    await ageLastSeen();
    expect((await list(user.browser)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it("ends one of the user's sessions at a time", async () => {
    const phone = await logIn(api, user);
    const others = (await list(user.browser)).filter(({ isCurrent }) => !isCurrent);
    const path = `/api/sessions/${others[0]?.id}`;
    const response = await api.request("DELETE", path, user.browser);
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect([await status(phone), await status(user.browser)]).toEqual([401, 200]);
    expect((await api.request("DELETE", path, user.browser)).status).toBe(404);
    expect(await list(user.browser)).toHaveLength(1);
  });
});

describe("session store", () => {
  const LIFETIME_MS = 60_000;

  let redis: RequestRedis;
  let store: SessionStore;
  let id: string;
  let session: StoredSession;

  beforeAll(async () => {
    const url = process.env.TEST_REDIS_URL ?? "";
    const { logger } = createTestLogger();
    redis = createRequestRedis({ url, name: "session", budgetMs: 5_000, logger });
    await redis.start?.();
    store = createSessionStore(redis);
  });
  afterAll(() => redis.stop?.());

  beforeEach(async () => {
    id = randomUUID();
    const now = Date.now();
    session = {
      userId: Math.floor(Math.random() * 1e9),
      firebaseUid: "uid",
      authTime: 1_700_000_000,
      createdAt: now,
      lastSeenAt: now,
      userAgent: null,
      _expire: now + LIFETIME_MS,
      _maxAge: LIFETIME_MS,
    };
    await store.create(id, session, LIFETIME_MS);
  });

  describe("a session in Redis", () => {
    it("a late write does not restore an ended session", async () => {
      await store.end(id);
      expect(await store.update(id, session, LIFETIME_MS)).toBe(false);
      expect(await store.find(id)).toBeNull();
    });

    it("returns null if Redis contains invalid data", async () => {
      for (const text of ["", "{", "null", "[]", JSON.stringify({ ...session, userId: "1" })]) {
        await redis.run((client) => client.set(`session:${id}`, text));
        expect(await store.find(id)).toBeNull();
      }
    });

    it("ends when its user has 50 newer sessions", async () => {
      for (let i = 1; i <= 50; i++) {
        const newer = { ...session, createdAt: session.createdAt + i };
        await store.create(`${id}-${i}`, newer, LIFETIME_MS);
        expect(await store.find(id)).toEqual(i < 50 ? session : null);
      }
      expect(await store.list(session)).toHaveLength(50);
    });
  });
});

describe("log in", () => {
  describe("POST /api/login", () => {
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
});

describe("replace sessions", () => {
  let otherBrowser: BrowserHeaders;
  beforeEach(async () => {
    otherBrowser = await logIn(api, user);
  });

  const replace = (headers: Record<string, string>, query = "") =>
    api.request("POST", `/api/sessions${query}`, headers);

  async function changedPasswordToken(): Promise<string> {
    await api.context.identity.revoke(user.uid);
    return (await signIn(api, user)).token;
  }

  describe("POST /api/sessions after a change of the password", () => {
    it("gives this browser a new session and ends those of other browsers", async () => {
      const token = await changedPasswordToken();
      const response = await replace({ ...user.browser, ...bearer(token) });
      expect([response.status, await response.json()]).toEqual([200, { ended: 2 }]);
      const browser = withCookies(user.browser, response);
      expect(browser.cookie).not.toBe(user.browser.cookie);
      expect(await status(browser)).toBe(200);
      expect([await status(user.browser), await status(otherBrowser)]).toEqual([401, 401]);
      expect((await postLogin(api, user, otherBrowser)).status).toBe(401);
    });

    it("refuses a token from before the change, and keeps the session", async () => {
      await changedPasswordToken();
      const response = await replace({ ...user.browser, ...bearer(user.token) });
      expect([response.status, await response.text()]).toEqual([401, ERRORS["bad-token"].message]);
      expect([await status(user.browser), await status(otherBrowser)]).toEqual([200, 200]);
    });
  });

  it.each([
    ["a logout everywhere", () => api.request("DELETE", "/api/sessions?revokesKeys=true", user.browser)],
    [
      "a change of the password",
      async () => replace({ ...user.browser, ...bearer(await changedPasswordToken()) }, "?revokesKeys=true"),
    ],
  ])("%s revokes all API keys if the user wants", async (_what, end) => {
    const { script } = await addKey(api, user);
    expect((await end()).status).toBe(200);
    expect((await api.request("GET", "/api/links", script)).status).toBe(401);
    const changes = await api.query("SELECT action FROM audit_log WHERE action ^@ 'key.' ORDER BY id");
    expect(changes.at(-1)).toEqual({ action: "key.deleted" });
  });
});
