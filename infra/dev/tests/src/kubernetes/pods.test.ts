import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import { services } from "../compose-file.ts";
import { EXAMPLES, find, labelsOf, type Manifest, podsOf, render } from "./chart.ts";

const SERVICES = ["gateway", "api", "redirect", "worker"];
/** Maximum time that one of our processes takes to stop, in seconds. */
const MAX_STOP_SECONDS = 10;

skipWithout("helm");

describe.each(EXAMPLES)("the pods of %s", (example) => {
  const manifests = render(example, "backup.schedule=@daily");
  const pods = podsOf(manifests);

  it("meet the restricted pod security standard, without a service account token", () => {
    for (const [name, pod] of pods) {
      expect(pod, name).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(pod.securityContext, name).not.toMatchObject({ runAsUser: 0 });
      expect(
        Object.keys(pod).filter((key) => key.startsWith("host")),
        name,
      ).toEqual([]);
      for (const { securityContext } of pod.containers) {
        expect(securityContext, name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("have requests, limits and an image of a version", () => {
    for (const [name, { containers }] of pods) {
      for (const { image, resources } of containers) {
        const resource = { cpu: expect.anything(), memory: expect.any(String) };
        expect(resources, name).toEqual({ requests: resource, limits: resource });
        expect(image, name).toMatch(/:(?!latest$)[\w.-]+(@sha256:[0-9a-f]{64})?$/);
      }
    }
  });

  it("are selected by the name of the release too", () => {
    for (const manifest of manifests) {
      const count = (label: string) => JSON.stringify(manifest).split(`"${label}"`).length - 1;
      expect(count("app.kubernetes.io/instance"), manifest.metadata.name).toBeGreaterThanOrEqual(
        count("app.kubernetes.io/name"),
      );
    }
  });

  it("exist for every selector", () => {
    const selected = manifests
      .filter(({ kind }) => ["Service", "PodDisruptionBudget"].includes(kind))
      .map(({ spec }) => spec?.selector)
      .filter((selector) => selector !== undefined)
      .map((selector) => (selector.matchLabels ?? selector)["app.kubernetes.io/name"]);

    expect(selected.length).toBeGreaterThan(4);
    expect(selected.filter((name) => !pods.some(([pod]) => pod === name))).toEqual([]);
  });
});

describe.each(SERVICES)("the pods of %s", (service) => {
  const manifests = render("production");
  const [, pod] = podsOf(manifests).find(([name]) => name === service) ?? [];

  it("are never fewer during a rollout or a drain of nodes", () => {
    expect(find(manifests, "Deployment", service)?.spec).toMatchObject({
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
    });
    expect(find(manifests, "PodDisruptionBudget", service)?.spec).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
      selector: { matchLabels: labelsOf(service) },
    });
  });

  it("spread over zones and nodes", () => {
    const labelSelector = { matchLabels: labelsOf(service) };

    expect(pod?.topologySpreadConstraints).toMatchObject([
      { topologyKey: "topology.kubernetes.io/zone", labelSelector },
      { topologyKey: "kubernetes.io/hostname", labelSelector },
    ]);
  });
});

it.each(["gateway", "api", "redirect"])("%s drains before it stops, with a margin", (service) => {
  const [, pod] = podsOf(render("production")).find(([name]) => name === service) ?? [];
  const drain = pod?.containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;

  // The gateway resolves names every second, and clusters cache them for some seconds more.
  expect(drain).toBeGreaterThanOrEqual(10);
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(drain + MAX_STOP_SECONDS);
});

/** The pods that mount the config map, where the variable names a file in it. */
function mounting(manifests: Manifest[], map: string, variable: string, file: string): string[] {
  const mounts = podsOf(manifests).filter(([, { containers, volumes }]) => {
    const volume = volumes.find(({ configMap }) => configMap?.name === map);
    return containers.some(({ env = [], volumeMounts }) =>
      volumeMounts.some(
        ({ name, mountPath }) =>
          name === volume?.name && env.some((it) => it.name === variable && it.value === `${mountPath}/${file}`),
      ),
    );
  });
  return mounts.map(([name]) => name).sort();
}

it.each([
  ["production", ["api", "commands", "migrate", "redirect", "worker"]],
  ["tls", ["api", "commands", "gateway", "migrate", "redirect", "worker"]],
] as const)("a private CA is in all pods of %s that connect to Postgres or Redis", (example, names) => {
  const manifests = render(example, "privateCaConfigMap=ca");

  expect(mounting(manifests, "ca", "NODE_EXTRA_CA_CERTS", "ca.pem")).toEqual(names);
});

it("a strategy table in a config map is in the gateway and the redirect", () => {
  const manifests = render("production", "appOpeningConfigMap=table");

  expect(mounting(manifests, "table", "APP_OPENING_FILE", "app-opening.json")).toEqual(["gateway", "redirect"]);
});

it("a new gateway is ready once it has the copies of certificates, as in Compose", () => {
  const [, pod] = podsOf(render("tls")).find(([name]) => name === "gateway") ?? [];
  const [gateway, certificates] = pod?.containers ?? [];
  const command = ["test", "-e", "/certificates/.complete"];

  expect(certificates).toMatchObject({ readinessProbe: { exec: { command } } });
  expect(certificates).not.toHaveProperty("livenessProbe");
  expect(gateway).toMatchObject({ readinessProbe: { httpGet: { path: "/version.txt" } } });
  expect(services.certificates.healthcheck.test).toEqual(["CMD", ...command]);
});

it("a gateway that serves https has a load balancer, and its certificates from a second container", () => {
  const manifests = render("tls");
  const [, pod] = podsOf(manifests).find(([name]) => name === "gateway") ?? [];
  const [gateway, certificates] = pod?.containers ?? [];
  const copies = { name: "certificates", mountPath: "/certificates" };

  expect(certificates).toMatchObject({ command: ["node", "src/certificates/main.ts"] });
  expect(certificates?.image).toBe(gateway?.image);
  for (const container of [gateway, certificates]) {
    expect(container?.volumeMounts).toContainEqual(copies);
  }
  expect(pod?.volumes).toContainEqual({ name: "certificates", emptyDir: expect.anything() });
  expect(find(manifests, "Service", "gateway")?.spec).toMatchObject({
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    ports: [{ port: 80 }, { port: 443, targetPort: "https" }],
  });
});

it("images come from the registry of the values, with its Secret", () => {
  const values = ["images.repository=registry.example/tapthru", "images.tag=v2"];
  const pods = podsOf(render("production", ...values, "imagePullSecrets[0].name=registry"));
  const images = pods.map(([name, { containers }]) => [name, containers[0]?.image]);

  expect(Object.fromEntries(images)).toMatchObject({
    api: "registry.example/tapthru/api:v2",
    "gateway-metrics": "registry.example/tapthru/gateway:v2",
    commands: "registry.example/tapthru/migrate:v2",
  });
  for (const [name, pod] of pods) {
    expect(pod, name).toMatchObject({ imagePullSecrets: [{ name: "registry" }] });
  }
});

it("other programs are the versions of Compose", () => {
  const compose = readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8");
  const own = /^(tapthru|ghcr.io\/example\/tapthru)\//;
  const images = EXAMPLES.flatMap((example) => podsOf(render(example)))
    .flatMap(([, { containers }]) => containers.map(({ image }) => image))
    .filter((image) => !own.test(image));

  expect(images).toHaveLength(4);
  expect(images.filter((image) => !compose.includes(image))).toEqual([]);
});

it("the migration runs before the services, or after the Postgres of a local installation", () => {
  const hookOf = (manifests: Manifest[]) => find(manifests, "Job", "migrate")?.metadata.annotations?.["helm.sh/hook"];

  expect(hookOf(render("production"))).toBe("pre-install,pre-upgrade");
  expect(hookOf(render("local"))).toBe("post-install,pre-upgrade");
});
