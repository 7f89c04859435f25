import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import {
  EXAMPLES,
  type Example,
  find,
  labelsOf,
  type Manifest,
  type Peer,
  podsOf,
  render,
  type Selector,
} from "./chart.ts";

const PODS = [
  ...["gateway", "api", "redirect", "worker", "migrate", "commands", "backup"],
  ...["gateway-metrics", "blackbox", "postgres", "redis-cache", "redis-queue"],
];

const DNS = ["kube-system:53", "node-local-dns:53"];
const MAIL = ["internet:465", "internet:587"];
const MANAGED = ["managed:5432", "managed:6379"];
const IN_CLUSTER = ["postgres:5432", "redis-cache+redis-queue:6379"];

const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];

const EXPECTED: Record<Example, Record<string, string[]>> = {
  production: {
    gateway: ["api+redirect:8080", "gateway-metrics:5514"],
    "gateway-metrics": [],
    blackbox: ["gateway:8080", "anywhere:443"],
    api: ["internet:443", ...MANAGED],
    redirect: MANAGED,
    worker: ["internet:443", ...MAIL, ...MANAGED],
    migrate: ["managed:5432"],
    commands: ["managed:5432"],
    backup: ["managed:5432"],
  },
  local: {
    gateway: ["api+redirect:8080"],
    api: ["internet:443", ...IN_CLUSTER],
    redirect: IN_CLUSTER,
    worker: ["internet:443", ...MAIL, ...IN_CLUSTER],
    migrate: ["postgres:5432"],
    commands: ["postgres:5432"],
    postgres: [],
    "redis-cache": [],
    "redis-queue": [],
  },
  tls: {
    // With the program certificates.
    gateway: ["api+redirect:8080", "managed:5432"],
    api: ["internet:443", ...MANAGED],
    redirect: MANAGED,
    worker: [...["internet:80", "internet:443", "gateway:8080", "gateway:8443"], ...MAIL, ...MANAGED],
    migrate: ["managed:5432"],
    commands: ["managed:5432"],
  },
};

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean {
  const labels = labelsOf(name);
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""))
  );
}

/** All egress allowed for the pod, as "peer:port"; the rules of all policies add up. */
function allowedEgress(manifests: Manifest[], name: string): Set<string> {
  const allowed = manifests
    .filter(({ kind, spec }) => kind === "NetworkPolicy" && selects(spec?.podSelector ?? {}, name))
    .flatMap(({ spec }) => spec?.egress ?? [])
    .flatMap(({ to, ports }) => to.flatMap((peer) => ports.map(({ port }) => `${describePeer(peer)}:${port}`)));
  return new Set(allowed);
}

function describePeer({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock?.cidr === "0.0.0.0/0" || ipBlock?.cidr === "::/0") {
    const { cidr, except = [] } = ipBlock;
    const isPublic =
      cidr === "::/0" ? except.length > 0 : PRIVATE_NETWORKS.every((network) => except.includes(network));
    return isPublic ? "internet" : "anywhere";
  }
  if (ipBlock?.cidr === "169.254.20.10/32") return "node-local-dns";
  if (ipBlock) return "managed";
  if (namespaceSelector) return namespaceSelector.matchLabels?.["kubernetes.io/metadata.name"] ?? "";
  return PODS.filter((name) => selects(podSelector ?? {}, name)).join("+");
}

skipWithout("helm");

describe.each(EXAMPLES)("the network of %s", (example) => {
  const manifests = render(example);

  it.each(Object.entries(EXPECTED[example]))("allows %s only the egress that it requires", (name, egress) => {
    expect(allowedEgress(manifests, name)).toEqual(new Set([...DNS, ...egress]));
  });

  it("denies all other traffic, of these pods alone", () => {
    const { podSelector = {}, ...rest } = find(manifests, "NetworkPolicy", "nothing-else")?.spec ?? {};
    expect(rest).toEqual({ policyTypes: ["Ingress", "Egress"] });
    expect(podsOf(manifests).filter(([name]) => !selects(podSelector, name))).toEqual([]);
    for (const { kind, spec } of manifests) if (kind === "NetworkPolicy") expect(spec?.podSelector).not.toEqual({});
  });
});

describe("the network", () => {
  it("lets the api and the worker reach ClickHouse, and the redirect not", () => {
    const manifests = render("production", "network.clickhouse.networks={10.20.0.0/16}");

    for (const name of ["api", "worker"]) expect(allowedEgress(manifests, name)).toContain("managed:8443");
    expect(allowedEgress(manifests, "redirect")).not.toContain("managed:8443");
  });

  it("lets the api alone reach an OpenID provider at a private address", () => {
    const manifests = render("production", "network.oidc.networks={10.20.0.0/16}");

    expect(allowedEgress(manifests, "api")).toContain("managed:443");
    expect(allowedEgress(manifests, "worker")).not.toContain("managed:443");
  });

  it("has pods of another namespace instead of networks", () => {
    const peers = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"databases"}}}]';
    const manifests = render("production", "network.postgres.networks=null", `json:network.postgres.peers=${peers}`);

    expect(allowedEgress(manifests, "redirect")).toEqual(new Set([...DNS, "databases:5432", "managed:6379"]));
  });

  it("lets the worker reach a mail server at a private address and another port", () => {
    const manifests = render("production", "network.mail.networks={10.20.0.0/16}", "network.mail.ports={25}");

    expect(allowedEgress(manifests, "worker")).toContain("managed:25");
    expect(allowedEgress(manifests, "worker")).not.toContain("internet:587");
  });

  it.each(EXAMPLES)("of %s may be without policies", (example) => {
    expect(render(example, "network.policies=false").filter(({ kind }) => kind === "NetworkPolicy")).toEqual([]);
  });

  it("may have both families of addresses", () => {
    const manifests = render("tls", "network.ipFamilyPolicy=PreferDualStack");

    expect(find(manifests, "Service", "gateway")?.spec).toMatchObject({ ipFamilyPolicy: "PreferDualStack" });
    expect(find(render("tls"), "Service", "gateway")?.spec).not.toHaveProperty("ipFamilyPolicy");
  });
});
