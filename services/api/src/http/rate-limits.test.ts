import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { randomKey } from "../keys/key-text.ts";
import { createAccount } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addKey } from "../testing/test-keys.ts";
import { bearer, newBrowser, postLogin, signUpUser, type TestUser, withCookies } from "../testing/test-user.ts";

let redis: ControlledRedis;
let api: TestApi;
let untrustingApi: TestApi;
let user: TestUser;
beforeAll(async () => {
  redis = await startRedis();
  const settings = { REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" } as const;
  api = await startTestApi(settings);
  untrustingApi = await startTestApi({ ...settings, TRUSTED_PROXIES: ["uniquelocal"] });
  user = await signUpUser(api);
});
afterAll(async () => {
  await api.stop();
  await untrustingApi.stop();
  await redis.remove();
});
beforeEach(async () => {
  const counts = await api.redis.keys("limit:*");
  if (counts.length > 0) await api.redis.del(counts);
});

let addresses = 0;
/** A new address for each call. */
const newAddress = () => `203.0.${++addresses >> 8}.${addresses & 255}`;
const from = (address: string) => ({ "x-forwarded-for": address });

type SendRequest = (headers: Record<string, string>) => Promise<Response>;

const REQUESTS: Record<string, SendRequest> = {
  generate: (headers) => api.post("/api/generate", { url: "x" }, headers),
  resolveLink: (headers) => api.post("/api/resolve-link", { url: "x" }, headers),
  metadata: (headers) => api.request("GET", "/api/metadata?product_id=x", headers),
  users: (headers) => api.post("/api/users", {}, headers),
  login: (headers) => api.post("/api/login", { firebaseUid: "x" }, headers),
  ownAccount: (headers) => api.request("GET", "/api/account/export", headers),
  moveLinks: (headers) => api.request("PUT", "/api/links/bulk/domain", headers, { ids: [1], domain: null }),
  reports: (headers) => api.post("/api/reports", {}, headers),
  otherApi: (headers) => api.request("GET", "/api/visitor", headers),
};
const LIMITS = Object.entries(REQUESTS).map(
  ([name, send]) => [name, RATE_LIMITS_PER_MINUTE[name as keyof typeof RATE_LIMITS_PER_MINUTE], send] as const,
);

/** Sends requests and counts the accepted ones. Checks that the others get a proper 429. */
async function countAccepted(count: number, send: (i: number) => Promise<Response>): Promise<number> {
  let refused = 0;
  for (let start = 0; start < count; start += 10) {
    const batch = Array.from({ length: Math.min(10, count - start) }, (_, i) => send(start + i));
    for (const response of await Promise.all(batch)) {
      if (response.status !== 429) continue;
      refused++;
      expect(await response.text()).toBe(messages.tooManyRequests);
      const retryAfter = Number(response.headers.get("retry-after"));
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(60);
    }
  }
  return count - refused;
}

async function failuresOfRedis(): Promise<number> {
  const text = await api.context.registry.metrics();
  const series = /^tapthru_redis_request_duration_seconds_count\{(.*)\} (\d+)$/gm;
  const counts = [...text.matchAll(series)].filter(([, labels]) => labels?.includes("failed"));
  return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
}

describe("requests from one address", () => {
  it.each(LIMITS)("are limited: %s", async (_name, { address: limit }, send) => {
    const address = newAddress();
    expect(await countAccepted(limit + 20, () => send(from(address)))).toBe(limit);
    expect((await send(from(newAddress()))).status).not.toBe(429);
  });

  it("include those from all addresses of one IPv6 network", async () => {
    const { address: limit } = RATE_LIMITS_PER_MINUTE.metadata;
    const send = (address: string) => api.request("GET", "/api/metadata?product_id=x", from(address));
    const accepted = await countAccepted(limit + 5, (i) => send(`2001:db8:1:2::${i.toString(16)}`));
    expect(accepted).toBe(limit);
    expect((await send("2001:db8:1:3::1")).status).not.toBe(429);
  });

  it("ignore forwarding headers of an untrusted client", async () => {
    const accepted = await countAccepted(1_000, (i) =>
      untrustingApi.request("GET", "/api/visitor", {
        ...from(`198.51.100.${i % 250}`),
        forwarded: `for=198.51.100.${i % 250}`,
        "x-real-ip": `198.51.${i % 250}.1`,
        "x-forwarded-host": `host-${i}.example`,
        "x-forwarded-proto": i % 2 ? "https" : "http",
      }),
    );
    expect(accepted).toBe(RATE_LIMITS_PER_MINUTE.otherApi.address);
  });

  it("over the limit are not failures of Redis", async () => {
    const address = newAddress();
    const { address: limit } = RATE_LIMITS_PER_MINUTE.metadata;
    const before = await failuresOfRedis();
    await countAccepted(limit + 20, () => api.request("GET", "/api/metadata?product_id=x", from(address)));
    expect(await failuresOfRedis()).toBe(before);
  });

  it("are counted under keys that do not contain the address", async () => {
    await REQUESTS.metadata?.(from("203.0.113.77"));
    const keys = await api.redis.keys("limit:*");
    expect(keys).toEqual([expect.stringMatching(/^limit:metadata:address:[\w-]{43}$/)]);
    expect(await api.redis.ttl(keys[0] ?? "")).toBeLessThanOrEqual(60);
  });
});

describe("requests of one visitor from many addresses", () => {
  const { generate, login, users, otherApi } = RATE_LIMITS_PER_MINUTE;
  const generateAs = (headers: Record<string, string>) =>
    api.post("/api/generate", { url: "x" }, { ...headers, ...from(newAddress()) });
  const logInAs = ({ uid, token }: { uid: string; token: string }, headers = {}) =>
    postLogin(api, { uid, token }, { ...headers, ...from(newAddress()) });

  it("are limited by claim token", async () => {
    const browser = newBrowser(api);
    const visitor = withCookies(browser, await api.request("GET", "/api/visitor", browser));
    const accepted = await countAccepted(generate.visitor + 10, () => generateAs(visitor));
    expect(accepted).toBe(generate.visitor);
  });

  it("are limited across session and token", async () => {
    const accepted = await countAccepted(generate.visitor + 10, (i) =>
      generateAs(i % 2 ? user.browser : bearer(user.token)),
    );
    expect(accepted).toBe(generate.visitor);
  });

  it("are limited across endpoints of the user", async () => {
    const accepted = await countAccepted(otherApi.visitor + 10, (i) =>
      api.request("GET", i % 2 ? "/api/links" : "/api/sessions", {
        ...user.browser,
        ...from(newAddress()),
      }),
    );
    expect(accepted).toBe(otherApi.visitor);
  });

  it("are limited for logins that create a session, and only for those", async () => {
    expect(await countAccepted(login.visitor + 5, () => logInAs(user))).toBe(login.visitor);
    expect(await countAccepted(20, () => logInAs(user, user.browser))).toBe(20);
    expect((await logInAs(await signUpUser(api))).status).toBe(200);
  });

  it("do not count against an account without its token", async () => {
    const { token } = await createAccount(api);
    await countAccepted(login.visitor + 5, () => logInAs({ uid: user.uid, token }));
    expect((await logInAs(user)).status).toBe(200);
  });

  it("are limited for sign-ups of one account", async () => {
    const { uid: firebaseUid, email, token } = await createAccount(api);
    const body = { firebaseUid, email, username: "other user" };
    const accepted = await countAccepted(users.visitor + 5, () =>
      api.post("/api/users", body, { ...bearer(token), ...from(newAddress()) }),
    );
    expect(accepted).toBe(users.visitor);
  });
});

describe("requests with API keys", () => {
  const { apiKey, otherApi } = RATE_LIMITS_PER_MINUTE;
  const listWith = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);

  it("are limited by key, from all addresses", async () => {
    const { script } = await addKey(api, user);
    const accepted = await countAccepted(apiKey.visitor + 10, () => listWith({ ...script, ...from(newAddress()) }));
    expect(accepted).toBe(apiKey.visitor);
    const other = await addKey(api, user);
    expect((await listWith(other.script)).status).toBe(200);
  });

  it("are limited by user, across their keys and sessions", async () => {
    const owner = await signUpUser(api);
    const keys = await Promise.all([1, 2].map(() => addKey(api, owner)));
    await api.redis.del(await api.redis.keys("limit:*"));
    await listWith(owner.browser);
    const [counter = ""] = await api.redis.keys("limit:otherApi:visitor:*");
    await api.redis.set(counter, otherApi.visitor - keys.length, "KEEPTTL");
    for (const { script } of keys) expect((await listWith(script)).status).toBe(200);
    for (const caller of [owner.browser, ...keys.map(({ script }) => script)]) {
      expect((await listWith(caller)).status).toBe(429);
    }
  });

  it("are limited by address if the key is invalid, without blocking valid keys", async () => {
    const { script } = await addKey(api, user);
    const address = newAddress();
    const invalid = () => listWith({ ...bearer(randomKey()), ...from(address) });
    expect(await countAccepted(apiKey.address + 10, invalid)).toBe(apiKey.address);
    expect((await listWith({ ...script, ...from(address) })).status).toBe(200);
  });
});

describe("while Redis is unavailable", () => {
  beforeEach(async () => {
    await redis.kill();
    const logout = () => api.request("POST", "/api/logout", user.browser);
    await vi.waitFor(async () => expect((await logout()).status).toBe(503), { timeout: 5_000 });
  });
  afterEach(async () => {
    await redis.start();
    await vi.waitFor(
      async () => {
        await REQUESTS.metadata?.(from(newAddress()));
        expect(await api.redis.keys("limit:*")).not.toEqual([]);
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  it.each(LIMITS)("a process accepts fewer requests: %s", async (_name, { floor }, send) => {
    const address = newAddress();
    expect(await countAccepted(floor + 20, () => send(from(address)))).toBe(floor);
    expect((await send(from(newAddress()))).status).not.toBe(429);
  });
});

describe("while Redis rejects the counter script", () => {
  it("a process accepts fewer requests and logs an error", async () => {
    await api.redis.acl("SETUSER", "default", "-eval", "-evalsha");
    const address = newAddress();
    const { floor } = RATE_LIMITS_PER_MINUTE.metadata;
    const accepted = await countAccepted(floor + 5, () =>
      api.request("GET", "/api/metadata?product_id=x", from(address)),
    );
    expect(accepted).toBe(floor);
    // The client may still be connecting again after the tests above.
    await vi.waitFor(async () => {
      await api.request("GET", "/api/metadata?product_id=x", from(newAddress()));
      expect(api.lines).toContainEqual(expect.objectContaining({ level: "error" }));
    });
    await api.redis.acl("SETUSER", "default", "+eval", "+evalsha");
  });
});
