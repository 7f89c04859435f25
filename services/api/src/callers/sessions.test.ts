import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { listSessions } from "@tapthru/proto/sessions";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BrowserHeaders, logIn, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

let user: TestUser;
const redis = await startRedis();
afterAll(() => redis.remove());
const api = await startApi({ REDIS_SESSION_URL: redis.url });
beforeAll(async () => {
  user = await signUpUser(api);
});
beforeEach(async () => {
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
  it("gets a new id when another user logs in, and the old id ends at once", async () => {
    const other = await signUpUser(api);
    const previous = user.browser;
    const after = await logIn(api, other, previous);
    expect(after.cookie).not.toBe(previous.cookie);
    expect([await status(previous), await status(after)]).toEqual([401, 200]);
    const response = await api.request("GET", `/api/users/${user.uid}`, after);
    expect(response.status).toBe(404);
  });

  it("is not found by an id without a valid signature", async () => {
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

  it("has its lifetime in Redis extended on each use", async () => {
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
  it("is final in 50 of 50 races with requests that write the session", async () => {
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

  it("are listed, most recently used first", async () => {
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

  it("can be ended one at a time", async () => {
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
