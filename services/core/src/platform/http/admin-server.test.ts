import { Gauge, type Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Component } from "../lifecycle.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createReadiness, type Readiness } from "../readiness.ts";
import { freePort } from "../testing/free-port.ts";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import { createAdminServer } from "./admin-server.ts";

let admin: Component;
let readiness: Readiness;
let waitingFor: string | null;
let note: string | null;
let port: number;
let registry: Registry;
let logged: LogLine[];

beforeEach(async () => {
  waitingFor = note = null;
  readiness = createReadiness({ readinessReason: () => waitingFor, note: () => note });
  port = await freePort();
  registry = createMetrics();
  const { logger, lines } = createTestLogger();
  logged = lines;
  admin = createAdminServer({ host: "127.0.0.1", port, registry, readiness, logger });
  await admin.start?.();
});
afterEach(() => admin.stop?.());

async function get(path: string, method = "GET") {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: response.status, text: (await response.text()).trim() };
}

it("the service is alive before it is ready, and while it stops", async () => {
  expect(await get("/livez")).toEqual({ status: 200, text: "alive" });
  await readiness.start?.();
  await readiness.stop?.();
  expect(await get("/livez")).toEqual({ status: 200, text: "alive" });
});

describe("/readyz", () => {
  it("responds 503 with the reason until all components are started, and again during shutdown", async () => {
    expect(await get("/readyz")).toEqual({ status: 503, text: "starting" });
    await readiness.start?.();
    expect(await get("/readyz")).toEqual({ status: 200, text: "ready" });
    await readiness.stop?.();
    expect(await get("/readyz")).toEqual({ status: 503, text: "stopping" });
  });

  it("includes the service's own reason, or a note while it is ready", async () => {
    await readiness.start?.();
    waitingFor = "the queue's Redis may evict jobs";
    expect(await get("/readyz")).toEqual({ status: 503, text: waitingFor });
    waitingFor = null;
    note = "changes have not been read for 6 s";
    expect(await get("/readyz")).toEqual({ status: 200, text: `ready: ${note}` });
  });
});

it("exposes metrics of the process; it responds 500 and logs the error if one cannot be collected", async () => {
  expect((await get("/metrics")).text).toMatch(/^process_cpu_user_seconds_total \d/m);
  const collect = () => Promise.reject(new Error("no value"));
  registry.registerMetric(new Gauge({ name: "failing", help: "Always fails", registers: [], collect }));
  expect((await get("/metrics")).status).toBe(500);
  expect(logged).toMatchObject([{ event: "metrics_failed", err: { message: "no value" } }]);
});

it("responds 404 for other paths", async () => {
  expect((await get("/")).status).toBe(404);
  expect((await get("/livez", "POST")).status).toBe(404);
});
