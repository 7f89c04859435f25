import { randomUUID } from "node:crypto";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { GeneratedLink } from "@tapthru/proto/generate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

const product = { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21" };

describe("with Redis failing", () => {
  let api: TestApi;
  let redis: ControlledRedis;

  beforeAll(async () => {
    redis = await startRedis();
    api = await startTestApi({ REDIS_CACHE_URL: redis.url }, { redisBudgetMs: 250 });
  });
  afterEach(async () => {
    redis.resume();
    await redis.kill();
    await redis.start();
  });
  afterAll(async () => {
    await api.stop();
    await redis.remove();
  });

  it("creates links with their outbox rows while Redis is down", async () => {
    await redis.kill();
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.post("/api/generate", product)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await api.query("SELECT 1 FROM links JOIN link_changes USING (short_code)")).toHaveLength(20);
  });

  it("creates links while Redis rejects their records", async () => {
    await waitUntilProjected();
    await api.redis.acl("SETUSER", "default", "-eval");
    expect((await api.post("/api/generate", product)).status).toBe(201);
  });

  const waitUntilProjected = () =>
    eventually(async () => {
      await api.post("/api/generate", product);
      expect(await api.redis.keys("redirect:*")).not.toEqual([]);
    });
});

describe("with Postgres failing", () => {
  let api: TestApi;
  let proxy: TcpProxy;

  beforeAll(async () => {
    proxy = await createTcpProxy(process.env.TEST_DATABASE_URL ?? "");
    api = await startTestApi({}, { postgresUrl: proxy.url });
  });
  afterAll(async () => {
    proxy.release();
    await api.stop();
    await proxy.refuse().catch(() => {});
  });

  it("responds 503 with Retry-After while Postgres is down, and works afterwards", async () => {
    await proxy.refuse();
    for (let i = 0; i < 5; i++) {
      const response = await api.post("/api/generate", product);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(api.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(await api.query("SELECT 1 FROM links")).toEqual([]);
    await proxy.accept();
    await eventually(async () => expect((await api.post("/api/generate", product)).status).toBe(201));
  });

  it("creates one link for a retried request whose response was lost", async () => {
    const other = { url: "https://www.amazon.de/dp/B0LOST0000" };
    const headers = { "idempotency-key": "a-key-of-the-visitor-22-or-more" };
    proxy.hold();
    const lost = api.post("/api/generate", other, headers);
    expect((await lost).status).toBe(503);
    proxy.release();
    const link = await eventually(async () => {
      const response = await api.post("/api/generate", other, headers);
      expect(response.status).toBe(201);
      return GeneratedLink.parse(await response.json());
    });
    const rows = await api.query(`SELECT short_code FROM links WHERE web_url = '${other.url}'`);
    expect(rows).toEqual([{ short_code: link.shortCode }]);
  });
});

describe("the budget of anonymous creates", () => {
  const BUDGET = 6;

  let amazon: AmazonStandIn;
  let redis: ControlledRedis;
  let replicas: [TestApi, TestApi];
  let member: TestUser;
  afterAll(async () => {
    for (const api of replicas) await api.stop();
    await redis.remove();
    await amazon.stop();
  });
  beforeAll(async () => {
    amazon = await startAmazonStandIn();
    redis = await startRedis();
    const start = () =>
      startTestApi({
        EGRESS_STAND_IN_URL: amazon.url,
        REDIS_CACHE_URL: redis.url,
        RATE_LIMITS: "on",
        ANONYMOUS_CREATES_PER_MINUTE: BUDGET,
      });
    replicas = [await start(), await start()];
    member = await signUpUser(replicas[0]);
  });
  beforeEach(async () => {
    const counts = await replicas[0].redis.keys("limit:*");
    if (counts.length > 0) await replicas[0].redis.del(counts);
  });

  let links = 0;
  function create(api: TestApi, headers: Record<string, string> = {}, url?: string) {
    const n = ++links;
    const from = { "x-forwarded-for": `203.0.113.${n % 250}` };
    return api.post(
      "/api/generate",
      { url: url ?? `https://www.amazon.de/dp/B${String(n).padStart(9, "0")}` },
      { ...from, ...headers },
    );
  }

  async function statuses(count: number, send: (i: number) => Promise<Response>): Promise<number[]> {
    const responses = [];
    for (let i = 0; i < count; i++) responses.push((await send(i)).status);
    return responses;
  }

  const repeat = (status: number, times: number) => Array<number>(times).fill(status);

  it("all addresses and replicas share the budget of anonymous creates", async () => {
    const [first, second] = replicas;
    const created = await statuses(BUDGET + 2, (i) => create(i % 2 ? first : second));
    expect(created).toEqual([...repeat(201, BUDGET), 429, 429]);
    const refused = await create(first);
    expect(await refused.text()).toBe(
      "Too many links are being created without a confirmed account. Please log in, confirm your email address, or try again in a minute.",
    );
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("the budget does not apply to members", async () => {
    const [api] = replicas;
    await statuses(BUDGET, () => create(api));
    expect(await statuses(3, () => create(api, member.browser))).toEqual(repeat(201, 3));
    expect((await create(api)).status).toBe(429);
  });

  it("rejected addresses do not use the budget", async () => {
    const [api] = replicas;
    const url = "https://www.amazon.de/ap/signin";
    expect(await statuses(BUDGET + 1, () => create(api, {}, url))).toEqual(repeat(422, BUDGET + 1));
    expect((await create(api)).status).toBe(201);
  });

  it.each([
    ["a store page", "https://www.amazon.de/dp/B0REPLAYED"],
    ["a short link", "https://amzn.to/3TapTru"],
  ])("replays of %s do not use the budget, and work when it is used up", async (_title, url) => {
    const [api] = replicas;
    const headers = { "idempotency-key": randomUUID() };
    const first = await create(api, headers, url);
    expect(first.status).toBe(201);
    await statuses(BUDGET - 1, () => create(api));
    expect((await create(api)).status).toBe(429);
    const again = await create(api, headers, url);
    expect([again.status, await again.json()]).toEqual([201, await first.json()]);
  });

  it("each replica has half the budget while Redis is unavailable", async () => {
    const [api] = replicas;
    await redis.kill();
    const logout = () => api.request("POST", "/api/logout", member.browser);
    await eventually(async () => expect((await logout()).status).toBe(503));
    const half = BUDGET / 2;
    expect(await statuses(BUDGET, () => create(api))).toEqual([...repeat(201, half), ...repeat(429, half)]);
  });
});
