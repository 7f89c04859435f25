import { readConfig } from "@tapthru/core/platform/config/configs";
import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import { createJobWorkers } from "@tapthru/core/platform/jobs/workers";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { defineJob } from "@tapthru/proto/jobs/definition";
import { FEATURES, getSystem } from "@tapthru/proto/operator/system";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { eventually } from "../testing/eventually.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { startOwnRedis, startWorld } from "../testing/world.ts";
import { featuresOf, withoutLogins } from "./installation.ts";

const redis = await startOwnRedis();
const { api, ada: operator } = await startWorld({ REDIS_QUEUE_URL: redis.url });
beforeAll(async () => {
  await makeOperator(api, operator);
});

const send = (method: string, path: string, body?: unknown) =>
  api.request(method, `/api/operator/${path}`, operator.browser, body);

const readSystem = async () => z.parse(getSystem.replies[200], await (await send("GET", "system")).json());

const SECRET = "canary-0123456789abcdef0123456789abcdef";
const CONFIG = readConfig("api", {
  TAPTHRU_ENV: "local",
  DATABASE_URL: `postgres://api:${SECRET}@localhost/tapthru`,
  REDIS_CACHE_URL: `redis://:${SECRET}@localhost`,
  REDIS_QUEUE_URL: `redis://:${SECRET}@localhost`,
  REDIS_SESSION_URL: `redis://:${SECRET}@localhost`,
  SESSION_KEYS: SECRET,
  ENCRYPTION_KEYS: SECRET,
  WEBHOOK_KEYS: SECRET,
  RATE_LIMIT_TOKEN: `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)}Z,${SECRET}`,
  OIDC_ISSUER: `https://user:${SECRET}@id.example`,
  OIDC_CLIENT_ID: "tapthru",
  OIDC_CLIENT_SECRET: SECRET,
  AMAZON_ADS_CLIENT_ID: "amzn1",
  AMAZON_ADS_CLIENT_SECRET: SECRET,
});

describe("items that are quarantined", () => {
  it("the system state names quarantined items without logins, and ends their pauses, which the audit log has", async () => {
    await api.query(`INSERT INTO failed_items (kind, key, error, attempts, retry_at)
      SELECT 'check-domains', n, 'no https://me:secret@t.example', 3, now() + n * interval '1 hour'
      FROM generate_series(1, 51) n`);
    const { failedItems } = await readSystem();
    expect(failedItems).toMatchObject({ count: 51, items: { length: 50 } });
    expect(failedItems?.items[0]).toMatchObject({ key: "1", error: "no https://t.example/", attempts: 3 });

    expect(await (await send("POST", "failed-items/retry")).json()).toEqual({ count: 51 });
    expect(await api.query("SELECT FROM failed_items WHERE retry_at > now()")).toEqual([]);
    expect(await api.query("SELECT actor, after FROM audit_log WHERE action = 'items.retried'")).toEqual([
      { actor: "operator", after: { count: 51 } },
    ]);
    await api.query("DELETE FROM failed_items");
  });
});

it("returns features, and no failed jobs while their Redis is down", async () => {
  const { features, failedJobs } = await readSystem();
  expect([features.map(({ name }) => name), failedJobs]).toEqual([FEATURES, []]);
  await redis.kill();
  const unknown = await readSystem();
  await redis.start();
  expect(unknown).toMatchObject({ failedJobs: null, failedItems: { count: 0 } });
});

it("says from which proxy the request came that the gateway does not trust", async () => {
  const headers = { ...operator.browser, "X-Untrusted-Proxy": "172.64.0.9" };
  const response = await api.request("GET", "/api/operator/system", headers);
  expect(z.parse(getSystem.replies[200], await response.json()).untrustedProxy).toBe("172.64.0.9");
  expect((await readSystem()).untrustedProxy).toBeNull();
});

it("counts the failed jobs of each queue", async () => {
  const job = "check-domains";
  const jobs = { [job]: defineJob({ payload: z.object({}), attempts: 1, backoffMs: 1 }) };
  const { logger } = createTestLogger();
  const queueRedis = createRequestRedis({ url: redis.url, name: "queue", budgetMs: 5_000, logger });
  await queueRedis.start?.();
  const producer = createJobProducer({ jobs, redis: queueRedis, logger });
  for (let i = 0; i < 3; i++) await producer.add(job, {}, { requestId: null });
  const workers = createJobWorkers({
    jobs,
    handlers: { [job]: () => Promise.reject(new Error("no page")) },
    redisUrl: redis.url,
    registry: createMetrics(),
    logger,
  });
  await workers.start?.();
  await eventually(async () => expect((await readSystem()).failedJobs).toEqual([{ job, count: 3 }]));
  await workers.stop?.();
  await queueRedis.stop?.();
});

describe("addresses in a text", () => {
  it.each([
    ["redis://:pass@host:6379/0", "redis://host:6379/0"],
    [
      "no reply of https://ann:pass@a.example/x?y (https://b.example)",
      "no reply of https://a.example/x?y (https://b.example)",
    ],
    ["no page: https://www.amazon.de/dp/B000000001", "no page: https://www.amazon.de/dp/B000000001"],
    ["Tapthru <mail@t.example>", "Tapthru <mail@t.example>"],
  ])("%j has no name and password", (text, shown) => expect(withoutLogins(text)).toBe(shown));

  it.each([
    "redis://:pa/ss@host",
    "redis://:12/ss@host",
    "redis://ann:pa ss@host",
    "https://ann:pa?ss@host",
    "https://ann:1,2@host",
    "//ann:pass@host",
  ])("%j is not shown", (text) => expect(withoutLogins(text)).toBe(null));
});

describe("the features", () => {
  it("lists all features, with the settings that turn them on", () => {
    const features = featuresOf(CONFIG);
    expect(features.map(({ name }) => name)).toEqual(FEATURES);
    expect(features).toEqual(
      expect.arrayContaining([
        { name: "emails", isOn: false, settings: ["SMTP_URL", "SMTP_FROM"] },
        { name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] },
      ]),
    );
  });
});
