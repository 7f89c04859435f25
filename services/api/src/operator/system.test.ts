import { readdirSync } from "node:fs";
import { MIGRATIONS } from "@tapthru/postgres/migrate";
import { listLimits } from "@tapthru/proto/http/operator/limits";
import { getSystem } from "@tapthru/proto/http/operator/system";
import { JOBS } from "@tapthru/proto/jobs/catalogue";
import { defineJob } from "@tapthru/proto/jobs/definition";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { createJobProducer } from "@tapthru/runtime/jobs/producer";
import { createJobWorkers } from "@tapthru/runtime/jobs/workers";
import { createMetrics } from "@tapthru/runtime/metrics/metrics";
import { createRequestRedis } from "@tapthru/runtime/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addKey } from "../testing/test-keys.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

const MINUTE_MS = 60_000;

let redis: ControlledRedis;
let api: TestApi;
let replica: TestApi;
let operator: TestUser;
beforeAll(async () => {
  redis = await startRedis();
  const settings = {
    REDIS_CACHE_URL: redis.url,
    REDIS_QUEUE_URL: redis.url,
    RATE_LIMITS: "on",
    ANONYMOUS_CREATES_PER_MINUTE: 2,
  } as const;
  api = await startTestApi(settings);
  replica = await startTestApi(settings, { replicaOf: api });
  operator = await signUpUser(api);
  await makeOperator(api, operator);
});
afterAll(async () => {
  await replica.stop();
  await api.stop();
  await redis.remove();
});
afterEach(() => void vi.useRealTimers());

const send = (method: string, path: string, body?: unknown) =>
  api.request(method, `/api/operator/${path}`, operator.browser, body);

const readSystem = async () =>
  z.parse(getSystem.replies[200], await (await send("GET", "system")).json());

const actions = () =>
  api.query(`SELECT actor, action, object, after FROM audit_log
    WHERE action LIKE 'jobs.%' OR action LIKE 'limit.%' ORDER BY id`);

describe("items that are set aside", () => {
  it("are in the state without logins, and their pauses can be ended, which the audit log has", async () => {
    await api.query(`INSERT INTO failed_items (kind, key, error, attempts, retry_at)
      SELECT 'check-domains', n, 'no https://me:secret@t.example', 3, now() + n * interval '1 hour'
      FROM generate_series(1, 51) n`);
    const { failedItems } = await readSystem();
    expect(failedItems).toMatchObject({ count: 51, items: { length: 50 } });
    expect(failedItems?.items[0]).toMatchObject({
      key: "1",
      error: "no https://t.example/",
      attempts: 3,
    });

    expect(await (await send("POST", "failed-items/retry")).json()).toEqual({ count: 51 });
    expect(await api.query("SELECT FROM failed_items WHERE retry_at > now()")).toEqual([]);
    expect(
      await api.query("SELECT actor, after FROM audit_log WHERE action = 'items.retried'"),
    ).toEqual([{ actor: "operator", after: { count: 51 } }]);
    await api.query("DELETE FROM failed_items");
  });
});

describe("the system", () => {
  it("has the state of Postgres, Redis and the queues", async () => {
    const system = await readSystem();

    const migrations = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql"));
    expect(system.postgres).toMatchObject({
      role: "primary",
      migration: migrations.toSorted().at(-1)?.replace(".sql", ""),
      migrationCount: migrations.length,
    });
    expect(system.redis).toEqual(
      ["cache", "queue"].map((name) => ({
        name,
        state: expect.objectContaining({ role: "master" }),
      })),
    );
    expect(system.queues?.map(({ job }) => job)).toEqual(Object.keys(JOBS));
    expect(system).toMatchObject({
      version: "test",
      environment: "local",
      failedItems: { count: 0, items: [] },
      outbox: { waiting: 0, oldestSeconds: null },
      imports: { waiting: 0, running: 0 },
      pageReads: {},
    });
  });

  it("counts page reads at most once a minute", async () => {
    await readSystem();
    await api.query(
      "INSERT INTO products (canonical_url, marketplace, product_id) VALUES ('new', 'de', 'new')",
    );
    expect((await readSystem()).pageReads).toEqual({});
    vi.setSystemTime(Date.now() + MINUTE_MS + 1);
    expect((await readSystem()).pageReads).toEqual({ unread: 1 });
  });

  it("has no state of what does not respond", async () => {
    await api.query("BEGIN");
    await api.query("LOCK TABLE imports, products");
    vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
    const system = await readSystem();
    await api.query("ROLLBACK");
    expect(system).toMatchObject({ imports: null, pageReads: null, outbox: { waiting: 0 } });
  });

  it("has no state of a Redis that is down, and of its queues", async () => {
    const { script } = await addKey(api, operator, ["operator"]);
    await redis.kill();
    const response = await api.request("GET", "/api/operator/system", script);
    await redis.start();
    expect(await response.json()).toMatchObject({
      redis: [
        { name: "cache", state: null },
        { name: "queue", state: null },
      ],
      queues: null,
      imports: { waiting: 0 },
    });
  });
});

describe("failed jobs", () => {
  const JOB = "check-domains";

  /** Their payload may have what only its user may see. */
  async function failJobs(count: number): Promise<void> {
    const payload = z.object({ of: z.string() });
    const jobs = { [JOB]: defineJob({ payload, attempts: 1, backoffMs: 1 }) };
    const { logger } = createTestLogger();
    const queueRedis = createRequestRedis({
      url: redis.url,
      name: "queue",
      budgetMs: 5_000,
      logger,
    });
    await queueRedis.start?.();
    const producer = createJobProducer({ jobs, redis: queueRedis, logger });
    for (let i = 0; i < count; i++) await producer.add(JOB, { of: "a user" }, { requestId: null });
    const workers = createJobWorkers({
      jobs,
      handlers: { [JOB]: () => Promise.reject(new Error("no page")) },
      redisUrl: redis.url,
      registry: createMetrics(),
      logger,
    });
    await workers.start?.();
    await vi.waitFor(
      async () => expect(await state()).toMatchObject({ failedCount: count }),
      20_000,
    );
    await workers.stop?.();
    await queueRedis.stop?.();
  }

  const state = async () => {
    const { queues } = await readSystem();
    return queues?.find(({ job }) => job === JOB);
  };

  it("are listed without their payload, retried and discarded, which the audit log has", async () => {
    await failJobs(3);
    const failed = await state();
    expect(failed).toMatchObject({ failedCount: 3, waiting: 0 });
    expect(failed?.failed[0]).toMatchObject({ reason: "no page", attempts: 1 });
    expect(JSON.stringify(failed)).not.toContain("a user");

    const id = failed?.failed[0]?.id;
    const retried = await send("POST", `queues/${JOB}/retry`, { id });
    expect(await retried.json()).toEqual({ count: 1 });
    expect(await state()).toMatchObject({ failedCount: 2, waiting: 1 });
    const discarded = await send("POST", `queues/${JOB}/discard`, {});
    expect(await discarded.json()).toEqual({ count: 2 });
    expect(await state()).toMatchObject({ failedCount: 0, waiting: 1 });

    expect(await actions()).toEqual([
      { actor: "operator", action: "jobs.retried", object: JOB, after: { id } },
      { actor: "operator", action: "jobs.discarded", object: JOB, after: { id: "all" } },
    ]);
  });

  it("of an unknown queue are not found", async () => {
    expect((await send("POST", "queues/no-such-job/retry", {})).status).toBe(404);
  });
});

describe("a raised limit", () => {
  const raise = (name: string, factor: number) => send("PUT", `limits/${name}`, { factor });
  const limitOf = async (name: string) => {
    const reply = await (await send("GET", "limits")).json();
    return z.parse(listLimits.replies[200], reply).limits.find((limit) => limit.name === name);
  };
  const quota = async () => {
    const response = await replica.request("GET", "/api/metadata?product_id=x");
    return Number(/q=(\d+)/.exec(response.headers.get("ratelimit-policy") ?? "")?.[1]);
  };
  const { address } = RATE_LIMITS_PER_MINUTE.metadata;

  it("counts in all replicas until it ends", async () => {
    expect((await raise("metadata", 5)).status).toBe(200);
    await replica.context.raisedLimits.poll();
    expect(await quota()).toBe(5 * address);
    expect(await limitOf("metadata")).toMatchObject({ address, factor: 5 });
    vi.setSystemTime(Date.now() + 61 * MINUTE_MS);
    expect(await quota()).toBe(address);
    vi.useRealTimers();

    expect((await raise("metadata", 1)).status).toBe(200);
    await replica.context.raisedLimits.poll();
    expect(await quota()).toBe(address);
    expect(await limitOf("metadata")).toMatchObject({ factor: 1, raisedUntil: null });
  });

  it("of all visitors without an account shows how much of it is used", async () => {
    const create = (n: number) =>
      api.post("/api/generate", { url: `https://www.amazon.de/dp/B00000000${n}` });
    const statuses = async (...numbers: number[]) =>
      Promise.all(numbers.map(async (n) => (await create(n)).status));
    expect((await statuses(1, 2, 3)).toSorted()).toEqual([201, 429, 429]);
    expect(await limitOf("anonymousCreates")).toMatchObject({ all: 2, used: 1 });
    await raise("anonymousCreates", 10);
    expect(await statuses(4, 5)).toEqual([201, 201]);
    expect(await limitOf("anonymousCreates")).toMatchObject({ all: 2, used: 5, factor: 10 });
  });

  it("is in the audit log", async () => {
    const before = (await actions()).length;
    await raise("reports", 2);
    expect((await actions()).slice(before)).toEqual([
      { actor: "operator", action: "limit.raised", object: "reports", after: { factor: 2 } },
    ]);
  });

  it.each([
    ["unknownCode", 2, 404],
    ["toString", 2, 404],
    ["reports", 100, 422],
  ])("cannot be %s times %i", async (name, factor, status) => {
    expect((await raise(name, factor)).status).toBe(status);
  });

  it("that could not be raised is not in the audit log", async () => {
    const { script } = await addKey(api, operator, ["operator"]);
    const before = (await actions()).length;
    await redis.kill();
    const response = await api.request("PUT", "/api/operator/limits/reports", script, {
      factor: 5,
    });
    expect(response.status).toBe(503);
    await redis.start();
    expect(await actions()).toHaveLength(before);
  });
});
