import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { parseList } from "structured-headers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { HEADERS } from "../reference/openapi/headers.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addKey } from "../testing/test-keys.ts";
import { newBrowser, signUpUser, type TestUser, withCookies } from "../testing/test-user.ts";

let redis: ControlledRedis;
let api: TestApi;
let unlimitedApi: TestApi;
let user: TestUser;
let script: Record<string, string>;
beforeAll(async () => {
  redis = await startRedis();
  api = await startTestApi({ REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });
  unlimitedApi = await startTestApi();
  user = await signUpUser(api);
  ({ script } = await addKey(api, user));
});
afterAll(async () => {
  await api.stop();
  await unlimitedApi.stop();
  await redis.remove();
});
beforeEach(async () => {
  const counts = await api.redis.keys("limit:*");
  if (counts.length > 0) await api.redis.del(counts);
});

const LIMIT_FIELDS = ["RateLimit-Policy", "RateLimit"] as const;

const getMetadata = () => api.request("GET", "/api/metadata?product_id=x");

/** Policies of a field by name, with their parameters. */
function policies(response: Response, field: (typeof LIMIT_FIELDS)[number]) {
  const members = parseList(response.headers.get(field) ?? "");
  return Object.fromEntries(members.map(([name, parameters]) => [name, Object.fromEntries(parameters)]));
}

/** How often Redis executed each command. */
async function commandCounts(): Promise<Record<string, number>> {
  const stats = await api.redis.info("commandstats");
  const counts = [...stats.matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)];
  return Object.fromEntries(counts.map(([, name = "", count]) => [name, Number(count)]));
}

describe("the RateLimit fields", () => {
  it("name each limit that counted the request, as documented", async () => {
    const { headers } = await api.request("GET", "/api/links", script);

    for (const name of LIMIT_FIELDS) {
      const withoutTime = (value: string | null) => value?.replace(/t=\d+/g, "t=");
      expect(withoutTime(headers.get(name))).toBe(withoutTime(HEADERS[name].example));
    }
  });

  it("name the user's limit of a session, and that of a browser without a user", async () => {
    const withSession = await api.request("GET", "/api/links", user.browser);
    expect(Object.keys(policies(withSession, "RateLimit"))).toEqual(["otherApi-address", "otherApi-caller"]);

    const browser = newBrowser(api);
    const visitor = withCookies(browser, await api.request("GET", "/api/visitor", browser));
    const response = await api.request("GET", "/api/visitor", visitor);
    expect(policies(response, "RateLimit")["otherApi-caller"]?.r).toBe(RATE_LIMITS_PER_MINUTE.otherApi.visitor - 1);
  });

  it("name both limits of a call with its own", async () => {
    const response = await api.post("/api/links", { url: "x" }, script);

    expect(response.status).toBe(422);
    expect(Object.keys(policies(response, "RateLimit-Policy"))).toEqual([
      "generate-address",
      "otherApi-address",
      "apiKey-caller",
      "otherApi-caller",
      "generate-caller",
    ]);
  });

  it("count down to the reply with 429, whose Retry-After is the same", async () => {
    const { address: quota } = RATE_LIMITS_PER_MINUTE.metadata;
    const remaining = [];
    for (let i = 0; i < quota; i++) {
      remaining.push(policies(await getMetadata(), "RateLimit")["metadata-address"]?.r);
    }
    expect(remaining).toEqual(Array.from({ length: quota }, (_, i) => quota - 1 - i));

    const refused = await getMetadata();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(policies(refused, "RateLimit")).toEqual({ "metadata-address": { r: 0, t: seconds } });
    expect(policies(refused, "RateLimit-Policy")).toEqual({
      "metadata-address": { q: quota, w: 60 },
    });
  });

  it("need no further request to Redis", async () => {
    await getMetadata();
    const before = await commandCounts();
    await getMetadata();
    const after = await commandCounts();
    expect(Number(after.evalsha) - Number(before.evalsha)).toBe(1);
    for (const name of ["get", "ttl", "hgetall", "eval"]) expect(after[name]).toBe(before[name]);
  });

  it("are absent if limits are off", async () => {
    const { headers } = await unlimitedApi.request("GET", "/api/metadata?product_id=x");

    for (const name of LIMIT_FIELDS) expect(headers.get(name)).toBeNull();
  });

  it("have the figures of the process while Redis is unavailable", async () => {
    await redis.kill();
    const { floor } = RATE_LIMITS_PER_MINUTE.metadata;
    await vi.waitFor(async () =>
      expect(policies(await getMetadata(), "RateLimit-Policy")["metadata-address"]?.q).toBe(floor),
    );
    const first = policies(await getMetadata(), "RateLimit")["metadata-address"]?.r;
    const second = policies(await getMetadata(), "RateLimit")["metadata-address"]?.r;
    expect(second).toBe(Number(first) - 1);
  });
});
