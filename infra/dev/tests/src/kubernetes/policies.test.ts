import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import {
  type Container,
  KUSTOMIZE,
  type Manifest,
  manifestsOf,
  type Overlay,
  type PodSpec,
  productionWith,
} from "./manifests.ts";

const SERVICES = ["gateway", "api", "redirect", "worker"];
const PUBLIC_SERVICES = ["gateway", "api", "redirect"];
/** Maximum time that one of our processes takes to stop, in seconds. */
const MAX_STOP_SECONDS = 10;

const KEDA_SECRET = new URL(
  "../../../../../k8s/overlays/production/secrets/keda.env.example",
  import.meta.url,
);

const OVERLAYS: Overlay[] = ["local", "production"];
const pods = (manifests: Manifest[]): [string, PodSpec][] =>
  manifests
    .filter(({ kind }) => ["Deployment", "StatefulSet", "Job"].includes(kind))
    .flatMap(({ metadata, spec }) => (spec?.template ? [[metadata.name, spec.template.spec]] : []));
const containers = (manifests: Manifest[]): [string, Container][] =>
  pods(manifests).flatMap(([name, { containers, initContainers = [] }]) =>
    [...containers, ...initContainers].map((container): [string, Container] => [name, container]),
  );

describe.each(OVERLAYS)("the %s overlay", (overlay) => {
  const manifests = manifestsOf(overlay);
  const find = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  const podOf = (service: string) => find("Deployment", service)?.spec?.template?.spec;
  const containerOf = (service: string) => podOf(service)?.containers[0];

  it("enforces the restricted pod security standard, and every pod meets it", () => {
    expect(find("Namespace", "tapthru")?.metadata.labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
    for (const [name, pod] of pods(manifests)) {
      expect(pod.securityContext, name).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(pod.securityContext.runAsUser, name).toBeGreaterThan(0);
      expect(pod, name).not.toHaveProperty("hostNetwork");
      expect(pod, name).not.toHaveProperty("hostPID");
    }
    for (const [name, { securityContext }] of containers(manifests)) {
      expect(securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("gives pods neither a service account token nor service variables", () => {
    for (const [name, pod] of pods(manifests)) {
      expect(pod, name).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
      });
    }
  });

  it("sets requests and limits for every container", () => {
    for (const [name, { resources }] of containers(manifests)) {
      expect(Object.keys(resources.requests).sort(), name).toEqual(["cpu", "memory"]);
      expect(Object.keys(resources.limits).sort(), name).toEqual(["cpu", "memory"]);
    }
  });

  it("pins every image by a version", () => {
    for (const [name, { image }] of containers(manifests)) {
      // Kustomize sets the tags of our images.
      if (!image.startsWith("tapthru/") || image.includes(":")) {
        expect(image, name).toMatch(/:(?!latest$)[\w.-]+$/);
      }
    }
  });

  it.each(PUBLIC_SERVICES)("drains %s before it stops, with a margin", (service) => {
    const drain = containerOf(service)?.lifecycle?.preStop.sleep.seconds ?? 0;

    // The gateway resolves names every second, and clusters cache them for some seconds more.
    expect(drain).toBeGreaterThanOrEqual(10);
    expect(podOf(service)?.terminationGracePeriodSeconds).toBeGreaterThan(drain + MAX_STOP_SECONDS);
  });

  it.each(SERVICES)("never runs fewer replicas of %s during a rollout", (service) => {
    expect(find("Deployment", service)?.spec?.strategy?.rollingUpdate.maxUnavailable).toBe(0);
    expect(find("PodDisruptionBudget", service)?.spec).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
      selector: { matchLabels: { "app.kubernetes.io/name": service } },
    });
  });

  it.each(SERVICES)("spreads %s over zones and nodes", (service) => {
    const constraints = podOf(service)?.topologySpreadConstraints ?? [];

    expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
    for (const { labelSelector } of constraints) {
      expect(labelSelector.matchLabels).toEqual({ "app.kubernetes.io/name": service });
    }
  });

  it("has pods for every selector", () => {
    const names = pods(manifests).map(([name]) => name);
    const selected = manifests
      .filter(({ kind }) => ["Service", "PodDisruptionBudget"].includes(kind))
      .map(
        ({ spec }) => (spec?.selector?.matchLabels ?? spec?.selector)?.["app.kubernetes.io/name"],
      );

    expect(selected.filter((name) => !names.includes(String(name)))).toEqual([]);
  });
});

describe("a private CA", () => {
  skipWithout("kustomize", KUSTOMIZE === null);
  it.each([
    {
      name: "the first region",
      components: ["private-ca"],
      of: ["api", "migrate", "redirect", "worker"],
    },
    {
      name: "a further one",
      components: ["region", "private-ca"],
      of: ["redirect", "region-relay"],
    },
  ])("is mounted in all that connect to Postgres or Redis in $name", (region) => {
    const manifests = productionWith(...region.components);
    const workloads = manifests.filter(({ spec }) => spec?.template);
    const trusting = workloads.filter(({ spec }) => {
      const { containers = [], volumes = [] } = spec?.template?.spec ?? {};
      const [{ env = [], volumeMounts = [] } = {}] = containers;
      const volume = volumes.find(({ configMap }) => configMap?.name === "tapthru-private-ca");
      const mount = volumeMounts.find(({ name }) => name === volume?.name);
      return env.some(
        ({ name, value }) =>
          name === "NODE_EXTRA_CA_CERTS" && mount && value === `${mount.mountPath}/ca.pem`,
      );
    });
    const names = trusting.map(({ metadata }) => metadata.name);

    expect(names.sort()).toEqual(region.of);
  });
});

describe("the production overlay", () => {
  const manifests = manifestsOf("production");
  const ofKind = (wanted: string) => manifests.filter(({ kind }) => kind === wanted);

  it("contains no secret", () => {
    expect(ofKind("Secret")).toEqual([]);
    expect(JSON.stringify(manifests)).not.toContain("demo-only");
  });

  it("serves its host over https only", () => {
    const listeners = ofKind("Gateway").flatMap(({ spec }) => spec?.listeners ?? []);
    const ruleOf = (listener: string) =>
      ofKind("HTTPRoute").find(({ spec }) => spec?.parentRefs?.[0]?.sectionName === listener)?.spec
        ?.rules?.[0];

    expect(listeners.map(({ name, protocol }) => [name, protocol])).toEqual([
      ["http", "HTTP"],
      ["https", "HTTPS"],
    ]);
    expect(listeners[1]?.tls?.certificateRefs).toEqual([{ name: "tapthru-tls" }]);
    expect(ruleOf("https")?.backendRefs).toEqual([{ name: "gateway", port: 80 }]);
    expect(ruleOf("http")).not.toHaveProperty("backendRefs");
    expect(ruleOf("http")?.filters?.[0]?.requestRedirect).toEqual({
      scheme: "https",
      statusCode: 301,
    });
  });

  it("configures KEDA's connection to the queue with one secret, including TLS", () => {
    const [authentication] = ofKind("TriggerAuthentication");
    const keys = authentication?.spec?.secretTargetRef?.map(({ parameter, key }) => [
      parameter,
      key,
    ]);
    const example = parseEnv(readFileSync(KEDA_SECRET, "utf8"));

    expect(Object.fromEntries(keys ?? [])).toEqual(
      Object.fromEntries(Object.keys(example).map((name) => [name, name])),
    );
    expect(example.tls).toBe("enable");
    // KEDA rejects a trigger that also sets TLS.
    const triggers = ofKind("ScaledObject")[0]?.spec?.triggers ?? [];
    expect(triggers.filter(({ metadata }) => "enableTLS" in metadata)).toEqual([]);
  });

  it("scrapes the metrics of every service under the job names of the rules", () => {
    const jobs = ofKind("ServiceMonitor").map(({ metadata, spec }) => [
      metadata.name,
      spec?.endpoints?.[0]?.relabelings[0],
    ]);

    expect(Object.fromEntries(jobs)).toEqual({
      api: { targetLabel: "job", replacement: "tapthru-api" },
      redirect: { targetLabel: "job", replacement: "tapthru-redirect" },
      worker: { targetLabel: "job", replacement: "tapthru-worker" },
      "region-relay": { targetLabel: "job", replacement: "tapthru-region" },
      "gateway-metrics": { targetLabel: "job", replacement: "tapthru-gateway-metrics" },
    });
  });

  it("has the same blackbox configuration as Compose", () => {
    const config = manifests.find(({ metadata }) => metadata.name === "blackbox")?.data;
    const file = new URL("../../../../monitoring/blackbox/blackbox.yml", import.meta.url);

    expect(parseYaml(config?.["blackbox.yml"] ?? "")).toEqual(
      parseYaml(readFileSync(file, "utf8")),
    );
  });
});
