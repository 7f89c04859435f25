import { readFileSync } from "node:fs";
import { UNREAD_BYTES_MAX } from "@tapthru/core/platform/http/http-server";
import { connectionsAtFullLoad, IN_PROGRESS_PER_REPLICA, workerLimits } from "@tapthru/gateway/nginx/limits";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { interpolate } from "./interpolate.ts";

/** Default limit of open files in container engines. */
const OPEN_FILES = 1_048_576;

/** Measured memory of an idle gateway, and of a request that waits for its service. */
const IDLE_BYTES = 80e6;
const BYTES_PER_REQUEST = 10e3;

function memoryAtFullLoad(replicas: { api: number; redirect: number }): number {
  return IDLE_BYTES + (connectionsAtFullLoad(replicas) / 2) * BYTES_PER_REQUEST;
}

/** Measured memory of an idle api, and of a request with an incomplete body of 16 KiB. */
const API_IDLE_BYTES = 150e6;
const BYTES_PER_BODY = 40e3;

/** Memory of an api while all gateways pass the maximum number of slow bodies. */
function apiMemory(gateways: number): number {
  const bodies = gateways * IN_PROGRESS_PER_REPLICA.api;
  return API_IDLE_BYTES + bodies * BYTES_PER_BODY + UNREAD_BYTES_MAX;
}

/** Connections of all workers of one gateway. */
function connectionsOf(workers: number): number {
  return workers * workerLimits(workers, OPEN_FILES).connections;
}

describe("in Kubernetes", () => {
  const { gateway, api, redirect } = parse(
    readFileSync(new URL("../../../../k8s/values.yaml", import.meta.url), "utf8"),
  );

  it("one gateway has enough connections for the maximum number of replicas", () => {
    const replicas = { api: api.replicas.max, redirect: redirect.replicas.max };
    const { cpu, memory } = gateway.resources.limits;

    expect(connectionsAtFullLoad(replicas)).toBeLessThanOrEqual(connectionsOf(cpu));
    expect(memory).toBe("1Gi");
    expect(memoryAtFullLoad(replicas)).toBeLessThanOrEqual(1024 ** 3);
  });

  it("an api has enough memory for the requests of all gateways, even during a rollout", () => {
    const gateways = gateway.replicas.max + 1;

    expect(gateways).toBe(7);
    expect(api.resources.limits.memory).toBe("1408Mi");
    expect(apiMemory(gateways)).toBeLessThanOrEqual(1408 * 1024 ** 2);
  });
});

it("in Compose a gateway has connections for ten times the replicas, and an api enough memory", () => {
  const text = readFileSync(new URL("../../../../docker-compose.yml", import.meta.url), "utf8");
  const { services } = parse(text, { merge: true, maxAliasCount: -1 });
  const redirects = Number(interpolate(services.redirect.scale, {}));
  const replicas = { api: Number(interpolate(services.api.scale, {})), redirect: redirects };
  const tenfold = { api: 10 * replicas.api, redirect: 10 * replicas.redirect };

  expect(redirects).toBe(2);
  expect(connectionsAtFullLoad(tenfold)).toBeLessThanOrEqual(connectionsOf(1));
  expect(services.gateway.mem_limit).toBe("512m");
  expect(memoryAtFullLoad(replicas)).toBeLessThanOrEqual(512 * 1024 ** 2);

  expect(services.api.mem_limit).toBe("768m");
  expect(apiMemory(1)).toBeLessThanOrEqual(768 * 1024 ** 2);
});
