import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "slonik";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createHttpMetrics } from "../http/http-metrics.ts";
import { createJobProducer } from "../jobs/producer.ts";
import { createJobWorkers, type JobWorkers } from "../jobs/workers.ts";
import type { Component } from "../lifecycle.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createPostgres, type Postgres } from "../postgres/postgres.ts";
import { createRequestRedis, type RequestRedis } from "../redis/redis.ts";
import { type ControlledRedis, startRedis } from "../testing/controlled-redis.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../testing/otlp-receiver.ts";
import { TEST_JOBS } from "../testing/test-jobs.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { startTracing } from "./start-tracing.ts";
import { tracing } from "./tracing.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const WAIT_OPTIONS = { timeout: 20_000 };

let receiver: OtlpReceiver;
let redisServer: ControlledRedis;
let redis: RequestRedis;
let postgres: Postgres;
let workers: JobWorkers;
let server: Server;
const log = createTestLogger();

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  redisServer = await startRedis();
  const { logger } = log;
  redis = createRequestRedis({ url: redisServer.url, name: "queue", budgetMs: 5_000, logger });
  await redis.start?.();
  const producer = createJobProducer({ jobs: TEST_JOBS, redis, logger });
  const registry = createMetrics();
  workers = createJobWorkers({
    jobs: TEST_JOBS,
    handlers: { greet: async () => {}, tick: async () => {} },
    redisUrl: redisServer.url,
    registry,
    logger,
  });
  postgres = createPostgres({
    url: String(process.env.TEST_DATABASE_URL),
    applicationName: "tracing-test",
    maxConnections: 1,
    statementTimeoutMs: 20_000,
    acquireTimeoutMs: 20_000,
    logger,
  });
  const findNothing = () => postgres.query(sql.type(z.object({}))`SELECT FROM pg_class LIMIT 0`);
  const observe = createHttpMetrics(registry).ofRoute("/greet/:name");
  server = createServer(async (_request, response) => {
    await findNothing();
    await producer.add("greet", { name: "Ann" }, { requestId: "request-0001" });
    logger.info({ event: "request_completed" }, "handled");
    observe("POST", 200, performance.now());
    response.end();
  });
});
afterEach(async () => {
  server.close();
  await Promise.all([workers.stop?.(), redis.stop?.(), postgres.stop?.()]);
  await redisServer.remove();
  await receiver.stop();
});

async function greet(): Promise<void> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  await workers.start?.();
  const { port } = server.address() as AddressInfo;
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
  await fetch(`http://127.0.0.1:${port}/greet/Ann`, { method: "POST", headers });
  await vi.waitFor(() => expect(logged("job completed")).toHaveLength(1), WAIT_OPTIONS);
}

const logged = (msg: string) => log.lines.filter((line) => line.msg === msg && line.job !== "tick");

it("creates no traces, and no trace ids in logs, without a collector", async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: null, OTEL_TRACES_SAMPLER_ARG: 1 };
  expect(await startTracing("test", settings)).toEqual([]);
  expect(tracing).toBeNull();
  await greet();
  expect(receiver.spans).toEqual([]);
  expect(logged("handled")[0]).not.toHaveProperty("traceId");
  log.lines.length = 0;
});

it("creates one trace from the client over the request, Postgres and Redis to the job", async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 };
  const [traces] = (await startTracing("test", settings)) as [Component];
  tracing?.traceRequests(server);
  await greet();
  await traces.stop?.();

  const ofTrace = receiver.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => ofTrace.find((span) => span.name === name);
  const request = named("POST /greet/:name");
  expect(request?.parentSpanId).toBe(CALLER);
  expect(request?.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: 200 },
  });
  expect(named("redis queue")?.parentSpanId).toBe(request?.spanId);
  expect(named("postgres")?.parentSpanId).toBe(request?.spanId);
  expect(named("postgres findNothing")?.parentSpanId).toBe(named("postgres")?.spanId);
  expect(named("job greet")?.parentSpanId).toBe(request?.spanId);
  for (const msg of ["handled", "job completed"]) expect(logged(msg)[0]?.traceId).toBe(TRACE);
  expect(JSON.stringify(receiver.spans)).not.toContain("Ann");
});

it("samples traces that a client started like new ones", async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 0 };
  const [traces] = (await startTracing("test", settings)) as [Component];
  tracing?.traceRequests(server);
  log.lines.length = 0;
  await greet();
  await traces.stop?.();
  expect(receiver.spans).toEqual([]);
});
