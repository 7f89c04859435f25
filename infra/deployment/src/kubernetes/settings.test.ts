import { readFileSync } from "node:fs";
import { parseEnv as parseEnvFile } from "node:util";
import { describe, expect, it } from "vitest";
import { readConfig, SERVICES, type Service, settingsOf } from "../service-configs.test-support.ts";
import { KUSTOMIZE, manifestsOf, type Overlay } from "./manifests.ts";

const SECRET = "9f2c6d".repeat(6);

/** What the container is given: config maps and secrets, in their order, then its own. */
function environmentOf(overlay: Overlay, service: Service): Record<string, string> {
  const manifests = manifestsOf(overlay);
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
  return Object.assign({}, ...given, ...env.map(({ name, value }) => ({ [name]: value })));
}

function decoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, atob(value)]));
}

function secretExample(service: Service): URL {
  const path = `../../../../k8s/overlays/production/secrets/${service}.env.example`;
  return new URL(path, import.meta.url);
}

function exampleSecret(service: Service): Record<string, string> {
  const text = readFileSync(secretExample(service), "utf8");
  return parseEnvFile(filledIn(text)) as Record<string, string>;
}

/** As whoever copies the example does. */
function filledIn(text: string): string {
  return text
    .replaceAll("PASSWORD@", `${SECRET}@`)
    .replaceAll(/=(PASSWORD|.*-OF-YOUR-OWN)$/gm, `=${SECRET}`);
}

// Only kustomize makes the config maps.
describe.skipIf(KUSTOMIZE === null)("the settings", () => {
  it.each(SERVICES)("of the overlay local are such that %s starts", (service) => {
    expect(readConfig(service, environmentOf("local", service)).TAPTHRU_ENV).toBe("demo");
  });

  it.each(SERVICES)(
    "of the overlay production, with its example secrets, are such that %s starts",
    (service) => {
      const { GOOGLE_APPLICATION_CREDENTIALS: credentials, ...env } = environmentOf(
        "production",
        service,
      );
      // The path is one inside the container.
      const mounted =
        credentials === undefined ? env : { ...env, GOOGLE_APPLICATION_CREDENTIALS: "/" };

      expect(readConfig(service, mounted).TAPTHRU_ENV).toBe("production");
    },
  );

  it.each(SERVICES)("give %s none that it does not take", (service) => {
    const others = [
      "NODE_OPTIONS",
      "PUBLIC_BASE_URL",
      "PRODUCT_NAME",
      "CONTACT_EMAIL",
      "REDIS_QUEUE_URL",
    ];
    const taken = [...settingsOf(service), ...others];
    for (const overlay of ["local", "production"] as const) {
      const given = Object.keys(environmentOf(overlay, service));

      expect(
        given.filter((name) => !taken.includes(name)),
        overlay,
      ).toEqual([]);
    }
  });
});

describe("the example secrets", () => {
  it.each(["api", "redirect", "worker", "migrate"] as const)(
    "keep %s from starting until they are filled in",
    (service) => {
      const text = readFileSync(secretExample(service), "utf8");
      const env = { TAPTHRU_ENV: "production", ...parseEnvFile(text) };

      expect(() => readConfig(service, env)).toThrow(
        /DATABASE_URL must not carry a well-known password/,
      );
    },
  );
});
