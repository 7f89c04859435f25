import { readFileSync } from "node:fs";
import { connectionsAtFullLoad, workerLimits } from "@tapthru/gateway/limits";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { manifestsOf } from "./kubernetes/manifests.ts";

/** What container engines allow a process by default. */
const OPEN_FILES = 1_048_576;

/** Measured: of a gateway without requests, and of a request that waits for its service. */
const IDLE_BYTES = 80e6;
const BYTES_PER_REQUEST = 10e3;

function memoryAtFullLoad(replicas: { api: number; redirect: number }): number {
  return IDLE_BYTES + (connectionsAtFullLoad(replicas) / 2) * BYTES_PER_REQUEST;
}

/** Of all workers of one gateway. */
function connectionsOf(workers: number): number {
  return workers * workerLimits(workers, OPEN_FILES).connections;
}

describe.each(["local", "production"] as const)("in the overlay %s", (overlay) => {
  const manifests = manifestsOf(overlay);
  const find = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)?.spec;
  const mostReplicas = (name: string) =>
    find("HorizontalPodAutoscaler", name)?.maxReplicas ?? Number.NaN;

  it("one gateway has connections for all that the most replicas may have in progress", () => {
    const [gateway] = find("Deployment", "gateway")?.template?.spec.containers ?? [];
    const workers = Number(gateway?.resources.limits.cpu);
    const replicas = { api: mostReplicas("api"), redirect: mostReplicas("redirect") };

    expect(connectionsAtFullLoad(replicas)).toBeLessThanOrEqual(connectionsOf(workers));
    expect(gateway?.resources.limits.memory).toBe("1Gi");
    expect(memoryAtFullLoad(replicas)).toBeLessThanOrEqual(1024 ** 3);
  });
});

it("in Compose a gateway has connections for ten times the replicas that the file says", () => {
  const text = readFileSync(new URL("../../../docker-compose.yml", import.meta.url), "utf8");
  const { services } = parse(text, { merge: true });
  const replicas = { api: services.api.scale ?? 1, redirect: services.redirect.scale };
  const tenfold = { api: 10 * replicas.api, redirect: 10 * replicas.redirect };

  expect(connectionsAtFullLoad(tenfold)).toBeLessThanOrEqual(connectionsOf(1));
  expect(services.gateway.mem_limit).toBe("512m");
  expect(memoryAtFullLoad(replicas)).toBeLessThanOrEqual(512 * 1024 ** 2);
});
