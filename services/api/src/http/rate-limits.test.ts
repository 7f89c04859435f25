import { ERRORS } from "@tapthru/proto/errors";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { parseList } from "structured-headers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { randomKey } from "../callers/key-text.ts";
import { HEADERS } from "../reference/openapi/headers.ts";
import { eventually } from "../testing/eventually.ts";
import { addKey } from "../testing/test-keys.ts";
import { product } from "../testing/test-links.ts";
import { bearer, postLogin, signUpUser } from "../testing/test-user.ts";
import { startApi, startOwnRedis, startWorld } from "../testing/world.ts";

const redis = await startOwnRedis();
const settings = { REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" } as const;
const { api, ada: user } = await startWorld(settings);
const untrustingApi = await startApi({ ...settings, TRUSTED_PROXIES: ["uniquelocal"] });
beforeEach(async () => {
  const counts = await api.redis.keys("limit:*");
  if (counts.length > 0) await api.redis.del(counts);
});

let addresses = 0;
const newAddress = () => `203.0.${++addresses >> 8}.${addresses & 255}`;
const from = (address: string) => ({ "x-forwarded-for": address });
const getMetadata = (address: string) => api.request("GET", "/api/metadata?product_id=x", from(address));

async function countAccepted(count: number, send: (i: number) => Promise<Response>): Promise<number> {
  let refused = 0;
  for (let start = 0; start < count; start += 10) {
    const batch = Array.from({ length: Math.min(10, count - start) }, (_, i) => send(start + i));
    for (const response of await Promise.all(batch)) {
      if (response.status !== 429) continue;
      refused++;
      expect(await response.text()).toBe(ERRORS["too-many-requests"].message);
    }
  }
  return count - refused;
}

async function leave(name: keyof typeof RATE_LIMITS_PER_MINUTE, kind: "address" | "visitor", rest: number) {
  const [counter = ""] = await api.redis.keys(`limit:${name}:${kind}:*`);
  await api.redis.set(counter, Number(RATE_LIMITS_PER_MINUTE[name][kind]) - rest, "KEEPTTL");
}

const TOKEN = "canary-0123456789abcdef0123456789abcdef";
const HOUR_MS = 60 * 60 * 1_000;
const untilMs = Date.now() + HOUR_MS;
const redisOfToken = await startOwnRedis();
const apiWithToken = await startApi({
  REDIS_CACHE_URL: redisOfToken.url,
  RATE_LIMITS: "on",
  RATE_LIMIT_TOKEN: { token: TOKEN, untilMs },
  ANONYMOUS_CREATES_PER_MINUTE: 5,
});

describe("requests from one address", () => {
  it("counts requests from all addresses of one IPv6 network together", async () => {
    const { address: limit } = RATE_LIMITS_PER_MINUTE.metadata;
    expect(await countAccepted(limit + 5, (i) => getMetadata(`2001:db8:1:2::${i.toString(16)}`))).toBe(limit);
    expect((await getMetadata("2001:db8:1:3::1")).status).not.toBe(429);
  });

  it("ignores forwarding headers of an untrusted client", async () => {
    const send = (i: number) =>
      untrustingApi.request("GET", "/api/visitor", {
        ...from(`198.51.100.${i}`),
        forwarded: `for=198.51.100.${i}`,
        "x-real-ip": `198.51.${i}.1`,
        "x-forwarded-host": `host-${i}.example`,
        "x-forwarded-proto": i % 2 ? "https" : "http",
      });
    await send(0);
    await leave("otherApi", "address", 5);
    expect(await countAccepted(10, send)).toBe(5);
  });

  it("counts requests under keys that do not contain the address", async () => {
    await getMetadata("203.0.113.77");
    const keys = await api.redis.keys("limit:*");
    expect(keys).toEqual([expect.stringMatching(/^limit:metadata:address:[\w-]{43}$/)]);
    expect(await api.redis.ttl(keys[0] ?? "")).toBeLessThanOrEqual(60);
  });
});

describe("requests of one user from many addresses", () => {
  const { generate, login } = RATE_LIMITS_PER_MINUTE;

  it("limits the requests of a user across session and token", async () => {
    const send = (i: number) =>
      api.post(
        "/api/generate",
        { url: "x" },
        { ...(i % 2 ? user.browser : bearer(user.token)), ...from(newAddress()) },
      );
    expect(await countAccepted(generate.visitor + 10, send)).toBe(generate.visitor);
  });

  it("limits logins that create a session, and no others", async () => {
    const logInAs = ({ uid, token }: { uid: string; token: string }, headers = {}) =>
      postLogin(api, { uid, token }, { ...headers, ...from(newAddress()) });
    const other = await signUpUser(api);
    // Requests without the account's token do not count towards its limit.
    await countAccepted(login.visitor + 5, () => logInAs({ uid: user.uid, token: other.token }));
    expect(await countAccepted(login.visitor + 5, () => logInAs(user))).toBe(login.visitor);
    expect(await countAccepted(20, () => logInAs(user, user.browser))).toBe(20);
    expect((await logInAs(other)).status).toBe(200);
  });
});

describe("requests with API keys", () => {
  const listWith = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);

  it("limits requests by user, across their keys and sessions", async () => {
    const owner = await signUpUser(api);
    const keys = await Promise.all([1, 2].map(() => addKey(api, owner)));
    await api.redis.del(await api.redis.keys("limit:*"));
    await listWith(owner.browser);
    await leave("otherApi", "visitor", keys.length);
    for (const { script } of keys) expect((await listWith(script)).status).toBe(200);
    for (const caller of [owner.browser, ...keys.map(({ script }) => script)]) {
      expect((await listWith(caller)).status).toBe(429);
    }
  });

  it("limits invalid keys by address, without blocking valid keys", async () => {
    const { script } = await addKey(api, user);
    const address = newAddress();
    const invalid = () => listWith({ ...bearer(randomKey()), ...from(address) });
    const { address: limit } = RATE_LIMITS_PER_MINUTE.apiKey;
    expect(await countAccepted(limit + 10, invalid)).toBe(limit);
    expect((await listWith({ ...script, ...from(address) })).status).toBe(200);
  });
});

describe("the RateLimit fields", () => {
  const FIELDS = ["RateLimit-Policy", "RateLimit"] as const;
  function policies(response: Response, field: (typeof FIELDS)[number]) {
    const members = parseList(response.headers.get(field) ?? "");
    return Object.fromEntries(members.map(([name, parameters]) => [name, Object.fromEntries(parameters)]));
  }

  it("the fields name each limit that counted the request, as documented", async () => {
    const { script } = await addKey(api, user);
    const { headers } = await api.request("GET", "/api/links", script);
    for (const name of FIELDS) {
      const withoutFigures = (value: string | null) => value?.replace(/[rt]=\d+/g, "");
      expect(withoutFigures(headers.get(name))).toBe(withoutFigures(HEADERS[name].example));
    }
  });

  it("the fields count down to the reply with 429, whose Retry-After is the same", async () => {
    const { address: quota } = RATE_LIMITS_PER_MINUTE.metadata;
    const [address, remaining] = [newAddress(), []] as [string, unknown[]];
    for (let i = 0; i < quota; i++) {
      remaining.push(policies(await getMetadata(address), "RateLimit")["metadata-address"]?.r);
    }
    expect(remaining).toEqual(Array.from({ length: quota }, (_, i) => quota - 1 - i));
    const refused = await getMetadata(address);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(policies(refused, "RateLimit")).toEqual({ "metadata-address": { r: 0, t: seconds } });
    expect(policies(refused, "RateLimit-Policy")).toEqual({ "metadata-address": { q: quota, w: 60 } });
  });

  it("the fields need no further request to Redis", async () => {
    const commandCounts = async () => {
      const counts = (await api.redis.info("commandstats")).matchAll(/^cmdstat_(\S+):calls=(\d+)/gm);
      return Object.fromEntries([...counts].map(([, name = "", count]) => [name, Number(count)]));
    };
    await getMetadata(newAddress());
    const before = await commandCounts();
    await getMetadata(newAddress());
    const after = await commandCounts();
    expect(Number(after.evalsha) - Number(before.evalsha)).toBe(1);
    for (const name of ["get", "ttl", "hgetall", "eval"]) expect(after[name]).toBe(before[name]);
  });
});

describe("a process accepts fewer requests", () => {
  const { floor } = RATE_LIMITS_PER_MINUTE.metadata;

  it("a process accepts fewer requests while Redis is unavailable", async () => {
    await redis.kill();
    const logout = () => api.request("POST", "/api/logout", user.browser);
    await eventually(async () => expect((await logout()).status).toBe(503));
    const address = newAddress();
    expect(await countAccepted(floor + 20, () => getMetadata(address))).toBe(floor);
    expect((await getMetadata(newAddress())).status).not.toBe(429);
    await redis.start();
    await eventually(async () => {
      await getMetadata(newAddress());
      expect(await api.redis.keys("limit:*")).not.toEqual([]);
    });
  });

  it("a process accepts fewer requests and logs an error while Redis rejects the counter script", async () => {
    await api.redis.acl("SETUSER", "default", "-eval", "-evalsha");
    const address = newAddress();
    expect(await countAccepted(floor + 5, () => getMetadata(address))).toBe(floor);
    // The client may still be connecting again after the test above.
    await eventually(async () => {
      await getMetadata(newAddress());
      expect(api.lines).toContainEqual(expect.objectContaining({ level: "error" }));
    });
    await api.redis.acl("SETUSER", "default", "+eval", "+evalsha");
  });
});

describe("rate limit token", () => {
  beforeEach(async () => void (await apiWithToken.redis.flushall()));

  async function statusesOfCreates(headers: Record<string, string>): Promise<Set<number>> {
    const create = (number: number) =>
      apiWithToken.post("/api/generate", { url: `${product}&number=${number}` }, headers);
    const { address } = RATE_LIMITS_PER_MINUTE.generate;
    const numbers = Array.from({ length: address + 1 }, (_, number) => number);
    return new Set((await Promise.all(numbers.map(create))).map(({ status }) => status));
  }

  describe("requests with the token", () => {
    it("requests with the token have no limit, and the token is in no log record, metric or Redis key", async () => {
      expect(await statusesOfCreates({ "rate-limit-token": TOKEN })).toEqual(new Set([201]));
      const stored = [
        apiWithToken.lines,
        await apiWithToken.context.registry.metrics(),
        await apiWithToken.redis.keys("*"),
      ];
      expect(JSON.stringify(stored)).not.toContain("canary");
    });

    it("requests have limits after the token's time", async () => {
      vi.setSystemTime(untilMs);
      onTestFinished(() => void vi.useRealTimers());
      expect(await statusesOfCreates({ "rate-limit-token": TOKEN })).toContain(429);
    });
  });

  it.each(["", TOKEN.slice(1), `${TOKEN}x`])("requests with %j have limits", async (token) => {
    expect(await statusesOfCreates({ "rate-limit-token": token })).toContain(429);
  });
});
