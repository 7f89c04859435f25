import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import {
  KUSTOMIZE,
  type Manifest,
  manifestsOf,
  type Overlay,
  type Peer,
  productionWith,
  type Selector,
} from "./manifests.ts";

const PODS = [
  "gateway",
  "api",
  "redirect",
  "worker",
  "region-relay",
  "migrate",
  "gateway-metrics",
  "blackbox",
];

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean {
  const labels: Record<string, string> = { "app.kubernetes.io/name": name };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""))
  );
}

/** All egress allowed for the pod, as "peer:port"; the rules of all policies add up. */
function allowedEgress(manifests: Manifest[], name: string): string[] {
  return manifests
    .filter(({ kind, spec }) => kind === "NetworkPolicy" && selects(spec?.podSelector ?? {}, name))
    .flatMap(({ spec }) => spec?.egress ?? [])
    .flatMap(({ to, ports }) =>
      to.flatMap((peer) => ports.map(({ port }) => `${describePeer(peer)}:${port}`)),
    );
}

function describePeer({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock?.cidr === "0.0.0.0/0" || ipBlock?.cidr === "::/0") {
    return ipBlock.except?.length ? "internet" : "anywhere";
  }
  if (ipBlock?.cidr === "169.254.20.10/32") return "node-local-dns";
  if (ipBlock) return "managed";
  if (namespaceSelector) return "kube-system";
  const names = [...PODS, "postgres", "redis-cache", "redis-queue"];
  return names.filter((name) => selects(podSelector ?? {}, name)).join("+");
}

const DNS = ["kube-system:53", "kube-system:53", "node-local-dns:53", "node-local-dns:53"];
const INTERNET = ["internet:443", "internet:443"];
const MAIL = ["internet:465", "internet:465", "internet:587", "internet:587"];
const MANAGED = ["managed:5432", "managed:6379"];
const IN_CLUSTER = ["postgres:5432", "redis-cache:6379"];

const EXPECTED: Record<Overlay, Record<string, string[]>> = {
  production: {
    gateway: ["api+redirect:8080", "gateway-metrics:5514"],
    "gateway-metrics": [],
    blackbox: ["gateway:8080", "anywhere:443", "anywhere:443"],
    api: [...INTERNET, ...MANAGED],
    redirect: MANAGED,
    worker: [...INTERNET, ...MAIL, ...MANAGED],
    migrate: ["managed:5432"],
  },
  local: {
    gateway: ["api+redirect:8080"],
    api: [...INTERNET, ...IN_CLUSTER, "redis-queue:6379"],
    redirect: [...IN_CLUSTER, "redis-queue:6379"],
    worker: [...INTERNET, ...MAIL, ...IN_CLUSTER, "redis-queue:6379"],
    migrate: ["postgres:5432"],
  },
};

const CASES = (["local", "production"] as const).flatMap((overlay) =>
  Object.keys(EXPECTED[overlay]).map((name) => ({ overlay, name })),
);

describe("the network", () => {
  it.each(CASES)(
    "in $overlay allows $name only the egress that it requires",
    ({ overlay, name }) => {
      const expected = [...DNS, ...(EXPECTED[overlay][name] ?? [])];

      expect(allowedEgress(manifestsOf(overlay), name).sort()).toEqual(expected.sort());
    },
  );

  it.each(["local", "production"] as const)("in %s denies all other traffic", (overlay) => {
    const closed = manifestsOf(overlay).find(({ metadata }) => metadata.name === "nothing-else");

    expect(closed?.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  });

  it("allows HTTP-01 challenges of the certificate authority", () => {
    const policy = manifestsOf("production").find(
      ({ metadata }) => metadata.name === "certificates",
    );

    expect(policy?.spec).toMatchObject({
      podSelector: { matchLabels: { "acme.cert-manager.io/http01-solver": "true" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port: 8089 }] }],
    });
  });

  it("allows the pods of a Gateway all ingress, and egress inside the cluster only", () => {
    const manifests = manifestsOf("production");
    const gateway = manifests.find(({ kind }) => kind === "Gateway")?.metadata.name;
    const policy = manifests.find(({ metadata }) => metadata.name === "gateway-api");

    expect(policy?.spec).toEqual({
      podSelector: { matchLabels: { "gateway.networking.k8s.io/gateway-name": gateway } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{}],
      egress: [{ to: [{ namespaceSelector: {} }] }],
    });
  });

  it("excludes private networks from the internet", () => {
    const policy = manifestsOf("production").find(({ metadata }) => metadata.name === "internet");
    const excepted = policy?.spec?.egress?.[0]?.to.flatMap(({ ipBlock }) => ipBlock?.except);

    expect(excepted).toEqual(
      expect.arrayContaining(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]),
    );
  });
});

describe("the network with a component", () => {
  skipWithout("kustomize", KUSTOMIZE === null);

  it("clickhouse allows the api and the worker to reach ClickHouse", () => {
    const manifests = productionWith("clickhouse");
    const added = ["managed:8123", "managed:8443"];

    for (const name of ["api", "worker"]) {
      const mail = name === "worker" ? MAIL : [];
      const expected = [...DNS, ...INTERNET, ...mail, ...MANAGED, ...added];
      expect(allowedEgress(manifests, name).sort()).toEqual(expected.sort());
    }
    expect(allowedEgress(manifests, "redirect").sort()).toEqual([...DNS, ...MANAGED].sort());
  });

  it("region allows its gateways and its relay to reach the first region", () => {
    const manifests = productionWith("region");
    const gateway = EXPECTED.production.gateway ?? [];

    expect(allowedEgress(manifests, "region-relay").sort()).toEqual([...DNS, ...MANAGED].sort());
    expect(allowedEgress(manifests, "gateway").sort()).toEqual(
      [...DNS, ...gateway, "managed:8080"].sort(),
    );
  });
});
