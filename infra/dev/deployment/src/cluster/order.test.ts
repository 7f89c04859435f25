import { describe, expect, it } from "vitest";
import type { Workload } from "./cluster-state.ts";
import { findOrderErrors } from "./order.ts";

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
const PREVIOUS_PODS = workload("ReplicaSet", "api", "1", "2026-11-20T08:00:00Z");
const PODS = workload("ReplicaSet", "api", "2", "2026-11-21T08:00:10Z");

describe("the order of a rollout", () => {
  it("is valid when services get their image after the migration has completed", () => {
    expect(
      findOrderErrors([API, PREVIOUS_PODS, PODS, MIGRATION], [API, PREVIOUS_PODS], "2"),
    ).toEqual([]);
  });

  it("is valid when the same release is deployed again and no service changes", () => {
    const again = { ...MIGRATION, status: { completionTime: "2026-11-21T09:00:00Z" } };

    expect(findOrderErrors([API, PODS, again], [API, PODS, MIGRATION], "2")).toEqual([]);
  });

  it("is valid when a third-party image does not change", () => {
    const image = "prom/blackbox-exporter:v0.27.0@sha256:a50c4c0e";
    const spec: Workload["spec"] = { template: { spec: { containers: [{ image }] } } };
    const blackbox = { ...workload("Deployment", "blackbox", "", "2026-11-20T08:00:00Z"), spec };

    expect(findOrderErrors([API, PODS, blackbox, MIGRATION], [API, blackbox], "2")).toEqual([]);
  });

  it("is invalid when a service gets its image before the migration has completed", () => {
    const early = workload("ReplicaSet", "api", "2", "2026-11-21T08:00:09Z");

    expect(
      findOrderErrors([API, PREVIOUS_PODS, early, MIGRATION], [API, PREVIOUS_PODS], "2"),
    ).toEqual(["api was rolled out at 2026-11-21T08:00:09Z, before 2026-11-21T08:00:10Z."]);
  });

  it("is invalid when the migration is from another release or has not completed", () => {
    const previous = workload("Job", "migrate", "1", "2026-11-20T08:00:00Z");

    expect(findOrderErrors([API, PODS, previous], [], "2")).toEqual([
      "The migration of 2 did not run.",
    ]);
    expect(findOrderErrors([API, PODS, { ...MIGRATION, status: {} }], [], "2")).toEqual([
      "The migration of 2 did not complete.",
    ]);
  });

  it("is invalid when a service still has its previous image", () => {
    const previous = workload("Deployment", "api", "1", "2026-11-20T08:00:00Z");

    expect(findOrderErrors([previous, PREVIOUS_PODS, MIGRATION], [], "2")).toEqual([
      "api does not run 2.",
    ]);
  });
});
