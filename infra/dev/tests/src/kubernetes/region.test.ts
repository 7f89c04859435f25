import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import { KUSTOMIZE, type Manifest, manifestsOf, productionWith } from "./manifests.ts";

const namesOf = (manifests: Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);
const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

// Without kustomize nothing is removed.
describe("a further region", () => {
  skipWithout("kustomize", KUSTOMIZE === null);
  const manifests = KUSTOMIZE === null ? [] : productionWith("region");

  it("runs its relay and what opens links, and nothing that the first region has", () => {
    expect(namesOf(manifests, "Deployment").sort()).toEqual(
      ["blackbox", "gateway", "gateway-metrics", "redirect", "region-relay"].sort(),
    );
    expect(namesOf(manifests, "Job")).toEqual([]);
    for (const kind of ["HorizontalPodAutoscaler", "PodDisruptionBudget"])
      expect(namesOf(manifests, kind).sort(), kind).toEqual(["gateway", "redirect"]);
    expect(namesOf(manifests, "ScaledObject")).toEqual([]);
    expect(namesOf(manifests, "ServiceMonitor")).not.toContain("api");
  });

  it("keeps the gateways and redirects of the overlay", () => {
    for (const name of ["gateway", "redirect"]) {
      const before = find(manifestsOf("production"), "Deployment", name);
      expect(find(manifests, "Deployment", name), name).toEqual(before);
    }
  });

  it("resolves the api to an address in the first region", () => {
    expect(find(manifests, "Service", "api")?.spec).toMatchObject({
      type: "ExternalName",
      externalName: "api.first-region.example.com",
    });
    expect(find(manifests, "Service", "api")?.spec).not.toHaveProperty("selector");
  });

  it("runs the relay in the worker's image, as restricted and as probed as the worker", () => {
    const worker = find(manifestsOf("production"), "Deployment", "worker")?.spec?.template?.spec;
    const relay = find(manifests, "Deployment", "region-relay")?.spec?.template?.spec;
    const [ofWorker, container] = [worker?.containers[0], relay?.containers[0]];

    expect(relay?.securityContext).toEqual(worker?.securityContext);
    expect(relay).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(container?.image).toBe(ofWorker?.image);
    for (const field of ["securityContext", "startupProbe", "livenessProbe", "readinessProbe"])
      expect(container?.[field as "securityContext"], field).toEqual(
        ofWorker?.[field as "securityContext"],
      );
    expect(container?.resources.limits.memory).toBe("256Mi");
  });
});

describe("the first region", () => {
  skipWithout("kustomize", KUSTOMIZE === null);

  it("lets the gateways of further regions reach its api, and no one else", () => {
    const manifests = productionWith("first-region");
    const service = find(manifests, "Service", "api-for-regions")?.spec;
    const policy = find(manifests, "NetworkPolicy", "from-gateways-of-regions")?.spec;

    expect(service?.selector).toEqual({ "app.kubernetes.io/name": "api" });
    expect(policy).toMatchObject({
      podSelector: { matchLabels: { "app.kubernetes.io/name": "api" } },
      ingress: [{ from: [{ ipBlock: { cidr: "10.30.0.0/16" } }], ports: [{ port: "http" }] }],
    });
    expect(service).toMatchObject({ loadBalancerSourceRanges: ["10.30.0.0/16"] });
  });
});
