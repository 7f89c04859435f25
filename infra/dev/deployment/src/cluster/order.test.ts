import { describe, expect, it } from "vitest";
import type { Workload } from "./cluster-state.ts";
import { faultsOfOrder } from "./order.ts";

function workload(kind: Workload["kind"], name: string, tag: string, created: string): Workload {
  const isPods = kind === "ReplicaSet";
  const image = `registry.example.com:5000/tapthru/${name}:${tag}`;
  const labels = { "app.kubernetes.io/name": name };
  return {
    kind,
    metadata: { name: isPods ? `${name}-${created}` : name, creationTimestamp: created, labels },
    spec: { template: { spec: { containers: [{ image }] } } },
    status: kind === "Job" ? { completionTime: "2026-11-21T08:00:10Z" } : {},
  };
}

const MIGRATION = workload("Job", "migrate", "2", "2026-11-21T08:00:00Z");
const API = workload("Deployment", "api", "2", "2026-11-20T08:00:00Z");
const FORMER_PODS = workload("ReplicaSet", "api", "1", "2026-11-20T08:00:00Z");
const PODS = workload("ReplicaSet", "api", "2", "2026-11-21T08:00:10Z");

describe("the order of a rollout", () => {
  it("is right when services get their image after the migration has completed", () => {
    expect(faultsOfOrder([API, FORMER_PODS, PODS, MIGRATION], [API, FORMER_PODS], "2")).toEqual([]);
  });

  it("is right when the same release is deployed again, and no service changes", () => {
    const again = { ...MIGRATION, status: { completionTime: "2026-11-21T09:00:00Z" } };

    expect(faultsOfOrder([API, PODS, again], [API, PODS, MIGRATION], "2")).toEqual([]);
  });

  it("is right when a program of others keeps its image", () => {
    const image = "prom/blackbox-exporter:v0.27.0@sha256:a50c4c0e";
    const spec: Workload["spec"] = { template: { spec: { containers: [{ image }] } } };
    const blackbox = { ...workload("Deployment", "blackbox", "", "2026-11-20T08:00:00Z"), spec };

    expect(faultsOfOrder([API, PODS, blackbox, MIGRATION], [API, blackbox], "2")).toEqual([]);
  });

  it("is wrong when a service gets its image before that", () => {
    const early = workload("ReplicaSet", "api", "2", "2026-11-21T08:00:09Z");

    expect(faultsOfOrder([API, FORMER_PODS, early, MIGRATION], [API, FORMER_PODS], "2")).toEqual([
      "api was rolled out at 2026-11-21T08:00:09Z, before 2026-11-21T08:00:10Z.",
    ]);
  });

  it("is wrong when the migration was another release's, or has not completed", () => {
    const former = workload("Job", "migrate", "1", "2026-11-20T08:00:00Z");

    expect(faultsOfOrder([API, PODS, former], [], "2")).toEqual([
      "The migration of 2 did not run.",
    ]);
    expect(faultsOfOrder([API, PODS, { ...MIGRATION, status: {} }], [], "2")).toEqual([
      "The migration of 2 did not complete.",
    ]);
  });

  it("is wrong when a service still has its former image", () => {
    const former = workload("Deployment", "api", "1", "2026-11-20T08:00:00Z");

    expect(faultsOfOrder([former, FORMER_PODS, MIGRATION], [], "2")).toEqual([
      "api does not run 2.",
    ]);
  });
});
