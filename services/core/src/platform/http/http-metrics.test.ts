import { Registry } from "prom-client";
import { beforeEach, expect, it } from "vitest";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";

let registry: Registry;
let metrics: HttpMetrics;

beforeEach(() => {
  registry = new Registry();
  metrics = createHttpMetrics(registry);
});

async function counts(): Promise<string[]> {
  const text = await registry.metrics();
  return text.split("\n").filter((line) => line.startsWith("tapthru_http_request_duration_seconds_count"));
}

it("counts by route, method and status", async () => {
  const since = performance.now();
  metrics.ofRoute("/l/:code")("GET", 302, since);
  metrics.ofRoute("/l/:code")("GET", 302, since);
  metrics.ofRoute("/l/:code")("GET", 503, since);
  metrics.ofRoute("/redirect")("HEAD", 200, since);
  const name = "tapthru_http_request_duration_seconds_count";
  expect(await counts()).toEqual([
    `${name}{route="/l/:code",method="GET",status="302"} 2`,
    `${name}{route="/l/:code",method="GET",status="503"} 1`,
    `${name}{route="/redirect",method="HEAD",status="200"} 1`,
  ]);
});

it("exposes error series of a route's methods at 0 before the first error", async () => {
  metrics.ofRoute("/l/:code", ["GET"]);
  const name = "tapthru_http_request_duration_seconds_count";
  expect(await counts()).toEqual([
    `${name}{route="/l/:code",method="GET",status="500"} 0`,
    `${name}{route="/l/:code",method="GET",status="503"} 0`,
  ]);
});

it("measures how long requests waited since the gateway started to send them", async () => {
  metrics.observeWait(undefined);
  metrics.observeWait("nonsense");
  metrics.observeWait(String(Date.now() / 1_000 - 3));
  // A clock that is ahead.
  metrics.observeWait(String(Date.now() / 1_000 + 3));
  const text = await registry.metrics();
  expect(text).toMatch(/^tapthru_http_wait_seconds_bucket\{le="0.0005"\} 1$/m);
  expect(text).toMatch(/^tapthru_http_wait_seconds_bucket\{le="2.5"\} 1$/m);
  expect(text).toMatch(/^tapthru_http_wait_seconds_count 2$/m);
});

it("counts unusual methods as one", async () => {
  const observe = metrics.ofRoute("none");
  for (const method of ["PURGE", "M-SEARCH", "PROPFIND"]) observe(method, 404, performance.now());
  expect(await counts()).toEqual([expect.stringMatching(/method="other".* 3$/)]);
});
