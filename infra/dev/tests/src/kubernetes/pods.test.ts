import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import { EXAMPLES, type Manifest, podsOf, render } from "./chart.ts";

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

it("other programs are the versions of Compose", () => {
  const compose = readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8");
  const own = /^(tapthru|ghcr.io\/example\/tapthru)\//;
  const images = EXAMPLES.flatMap((example) => podsOf(render(example)))
    .flatMap(([, { containers }]) => containers.map(({ image }) => image))
    .filter((image) => !own.test(image));

  expect(images).toHaveLength(4);
  expect(images.filter((image) => !compose.includes(image))).toEqual([]);
});
