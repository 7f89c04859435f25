import { readFileSync } from "node:fs";
import { parseEnv as parseEnvFile } from "node:util";
import { readConfig } from "@tapthru/runtime/config/configs";
import { type Program, shapeOf } from "@tapthru/runtime/config/settings";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import {
  editedProduction,
  KUSTOMIZE,
  type Manifest,
  manifestsOf,
  productionWith,
} from "./manifests.ts";

const SECRET = "9f2c6d".repeat(6);

/** Without the region relay, which only further regions have. */
const OF_OVERLAYS = CONTAINERS.filter((service) => service !== "region-relay");

/** The container's environment: config maps and secrets in order, then its own variables. */
function environmentOf(manifests: Manifest[], service: Program): Record<string, string> {
  const workload = manifests.find(
    ({ kind, metadata }) => ["Deployment", "Job"].includes(kind) && metadata.name === service,
  );
  const [container] = workload?.spec?.template?.spec.containers ?? [];
  const { envFrom = [], env = [] } = container ?? {};
  const data = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)?.data;
  const given = envFrom.map(({ configMapRef, secretRef }) => {
    if (configMapRef) return data("ConfigMap", configMapRef.name) ?? {};
    const encoded = data("Secret", secretRef?.name ?? "");
    return encoded === undefined ? exampleSecret(service) : decoded(encoded);
  });
  const namespace = workload?.metadata.namespace ?? "";
  const own = env.map(({ name, value = namespace }) => ({
    [name]: value.replace("$(POD_NAMESPACE)", namespace),
  }));
  return Object.assign({ WEB_ROOT: "/app/web/dist" }, ...given, ...own);
}

function decoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, atob(value)]));
}

function secretExample(service: Program): URL {
  const path = `../../../../../k8s/overlays/production/secrets/${service}.env.example`;
  return new URL(path, import.meta.url);
}

function exampleSecret(service: Program): Record<string, string> {
  const text = readFileSync(secretExample(service), "utf8");
  return parseEnvFile(filledIn(text)) as Record<string, string>;
}

/** Fills in the example as an operator does. */
function filledIn(text: string): string {
  return text
    .replaceAll("PASSWORD@", `${SECRET}@`)
    .replaceAll(/=(PASSWORD|.*-OF-YOUR-OWN)$/gm, `=${SECRET}`);
}

// Only kustomize generates the config maps.
describe("the settings", () => {
  skipWithout("kustomize", KUSTOMIZE === null);

  it.each(OF_OVERLAYS)("of the local overlay let %s start", (service) => {
    expect(readConfig(service, environmentOf(manifestsOf("local"), service)).TAPTHRU_ENV).toBe(
      "demo",
    );
  });

  it.each(OF_OVERLAYS)(
    "of the production overlay, with its example secrets, let %s start",
    (service) => {
      const { GOOGLE_APPLICATION_CREDENTIALS: credentials, ...env } = environmentOf(
        manifestsOf("production"),
        service,
      );
      // The path exists only inside the container.
      const mounted =
        credentials === undefined ? env : { ...env, GOOGLE_APPLICATION_CREDENTIALS: "/" };

      expect(readConfig(service, mounted).TAPTHRU_ENV).toBe("production");
    },
  );

  it.each(["gateway", "redirect", "region-relay"] as const)(
    "of a further region, with its example secrets, let %s start",
    (service) => {
      const environment = environmentOf(productionWith("region"), service);

      expect(readConfig(service, environment).TAPTHRU_ENV).toBe("production");
      const known = [...Object.keys(shapeOf(service)), "NODE_OPTIONS", "POD_NAMESPACE", "WEB_ROOT"];
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  it.each(OF_OVERLAYS)("contain only settings that %s reads", (service) => {
    const others = [
      "NODE_OPTIONS",
      "PUBLIC_BASE_URL",
      "PRODUCT_NAME",
      "CONTACT_EMAIL",
      "REDIS_QUEUE_URL",
      "POD_NAMESPACE",
      "WEB_ROOT",
    ];
    const known = [...Object.keys(shapeOf(service)), ...others];
    for (const overlay of ["local", "production"] as const) {
      const given = Object.keys(environmentOf(manifestsOf(overlay), service));

      expect(
        given.filter((name) => !known.includes(name)),
        overlay,
      ).toEqual([]);
    }
  });
});

// Only kustomize fills in these settings.
describe("a copy of the production overlay", () => {
  skipWithout("kustomize", KUSTOMIZE === null);

  it("moves to another namespace with one changed line", () => {
    const manifests = editedProduction((text) =>
      text.replace("\nnamespace: tapthru\n", "\nnamespace: links\n"),
    );
    const namespaces = manifests.map(({ kind, metadata }) =>
      kind === "Namespace" ? metadata.name : metadata.namespace,
    );

    expect(new Set(namespaces)).toEqual(new Set(["links"]));
    expect(environmentOf(manifests, "gateway")).toMatchObject({
      API_ADDRESS: "api.links.svc.cluster.local:8080",
      REDIRECT_ADDRESS: "redirect.links.svc.cluster.local:8080",
    });
    expect(JSON.stringify(manifests)).not.toContain("tapthru.svc");
  });

  it.each([
    ["gateway-api", { Gateway: 2, HTTPRoute: 2, Ingress: 0 }],
    ["ingress", { Gateway: 0, HTTPRoute: 0, Ingress: 2 }],
  ])("with the component %s takes every host from PUBLIC_BASE_URL", (component, counts) => {
    const manifests = editedProduction((text) =>
      text
        .replace("https://go.example.com", "https://tap.example.org")
        .replace("components/gateway-api", `components/${component}`),
    );
    const hosts = manifests.flatMap(({ kind, spec }) =>
      [
        ...(spec?.listeners ?? []).map(({ hostname }) => hostname),
        ...(kind === "HTTPRoute" ? (spec?.hostnames ?? []) : []),
        ...(kind === "Ingress" ? (spec?.tls ?? []).flatMap(({ hosts }) => hosts) : []),
        ...(kind === "Ingress" ? (spec?.rules ?? []).map(({ host }) => host) : []),
      ].map((host) => [kind, host]),
    );

    expect(new Set(hosts.map(([, host]) => host))).toEqual(new Set(["tap.example.org"]));
    for (const [kind, count] of Object.entries(counts)) {
      expect(hosts.filter(([owner]) => owner === kind)).toHaveLength(count);
    }
  });
});

describe("the example secrets", () => {
  it.each(["api", "redirect", "worker", "region-relay", "migrate"] as const)(
    "prevent %s from starting until they are filled in",
    (service) => {
      const text = readFileSync(secretExample(service), "utf8");
      const env = { TAPTHRU_ENV: "production", ...parseEnvFile(text) };

      expect(() => readConfig(service, env)).toThrow(
        /DATABASE_URL must not carry a well-known password/,
      );
    },
  );
});
