import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { GeneratedLink } from "@tapthru/proto/generate";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

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
