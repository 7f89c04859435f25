import { readFileSync } from "node:fs";
import { parseEnv as parseEnvFile } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { interpolate, variablesIn } from "./interpolate.ts";
import { readConfig, SERVICES, type Service, settingsOf } from "./testing/service-configs.ts";

/** Settled by the image, and so not by docker-compose.yml. */
const OF_IMAGE = ["HOST", "PORT", "ADMIN_PORT", "WEB_ROOT", "TAPTHRU_VERSION"];
/** Read by Node and by OpenTelemetry themselves. */
const OF_OTHERS = ["NODE_OPTIONS", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"];

const PINNED_IMAGE = /^[a-z/-]+:v?\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

const PRODUCTION = { TAPTHRU_ENV: "production", PUBLIC_BASE_URL: "https://go.example" };
const SECRETS = {
  POSTGRES_PASSWORD: "9f2c6d",
  API_DATABASE_PASSWORD: "8e1b5c",
  REDIRECT_DATABASE_PASSWORD: "7d0a4b",
  WORKER_DATABASE_PASSWORD: "6c9f3a",
  SESSION_KEYS: "0123456789abcdef0123456789abcdef",
  ENCRYPTION_KEYS: "0123456789abcdef0123456789abcdef",
  OUTCOME_KEY: "0123456789abcdef0123456789abcdef",
};

const compose = readText("docker-compose.yml");
const dockerfile = readText("Dockerfile");
const example = readText(".env.example");
const demo = parseEnvFile(readText(".env.demo")) as Record<string, string>;

function readText(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
}

/** What a container of that service is given, with these variables in Compose's own environment. */
function environmentOf(service: Service, variables: Record<string, string> = {}) {
  const { services } = parse(compose, { merge: true });
  const environment: Record<string, unknown> = services[service].environment;
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    interpolate(String(value), variables),
  ]);
  return Object.fromEntries(filled);
}

/** Of .env.example, where each stands with its default as a comment. */
const exampleNames = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);

describe("docker-compose.yml", () => {
  it.each(SERVICES)("gives %s settings that it starts with, without any file", (service) => {
    expect(readConfig(service, environmentOf(service)).TAPTHRU_ENV).toBe("demo");
  });

  it.each(SERVICES)("gives %s in the demo what it starts with, too", (service) => {
    expect(readConfig(service, environmentOf(service, demo)).TAPTHRU_ENV).toBe("demo");
  });

  it.each(SERVICES)("lets %s start in production by secrets of one's own", (service) => {
    const env = environmentOf(service, { ...PRODUCTION, ...SECRETS });

    expect(readConfig(service, env).TAPTHRU_ENV).toBe("production");
  });

  it.each([
    ["migrate", "DATABASE_URL"],
    ["api", "DATABASE_URL"],
    ["api", "SESSION_KEYS"],
    ["api", "ENCRYPTION_KEYS"],
    ["redirect", "DATABASE_URL"],
    ["redirect", "OUTCOME_KEY"],
    ["worker", "DATABASE_URL"],
  ] as const)("lets no %s start in production by the demo's %s", (service, name) => {
    expect(() => readConfig(service, environmentOf(service, PRODUCTION))).toThrow(name);
  });

  it.each(SERVICES)("lets every setting of %s be made, and no other", (service) => {
    const given = Object.keys(environmentOf(service)).filter((name) => !OF_OTHERS.includes(name));
    const taken = settingsOf(service);
    const files = taken.map((name) => `${name}_FILE`);

    expect(taken.filter((name) => ![...given, ...OF_IMAGE].includes(name))).toEqual([]);
    expect(given.filter((name) => ![...taken, ...files, ...OF_IMAGE].includes(name))).toEqual([]);
  });

  it("has each of its variables told of in .env.example, and none besides", () => {
    const used = new Set(variablesIn(compose));
    const told = [...exampleNames, ...Object.keys(demo)].filter(
      (name) => name !== "COMPOSE_PROFILES",
    );

    expect([...used].filter((name) => !exampleNames.includes(name))).toEqual([]);
    expect(told.filter((name) => !used.has(name))).toEqual([]);
  });

  it("knows the small Amazon by the address that the demo asks", () => {
    const { services } = parse(compose, { merge: true });
    const address = services["amazon-stand-in"].networks.default.ipv4_address;

    expect(demo.EGRESS_STAND_IN_URL).toBe(`http://${interpolate(address, {})}:8090`);
  });

  it("has the gateway send its records to where their metrics are made", () => {
    const { services } = parse(compose, { merge: true });
    const { environment, networks } = services["gateway-metrics"];
    const address = interpolate(networks.default.ipv4_address, {});

    expect(environmentOf("gateway").METRICS_ADDRESS).toBe(`${address}:${environment.SYSLOG_PORT}`);
  });

  it("shows monitoring to this machine alone, wherever the site is shown", () => {
    const { services } = parse(compose, { merge: true });
    for (const name of ["prometheus", "alertmanager", "grafana"]) {
      const [port = ""]: string[] = services[name].ports;

      expect(interpolate(port, { PUBLISH_ADDRESS: "0.0.0.0" })).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it("shows no service the secrets of another", () => {
    const { services } = parse(compose, { merge: true });
    const mounts = SERVICES.map((service) => services[service].volumes.join(" "));

    for (const [index, service] of SERVICES.entries()) {
      expect(mounts[index]).toContain(`/${service}:/run/secrets:ro`);
      expect(mounts[index]?.match(/run.secrets/g)).toHaveLength(1);
    }
  });

  it("bounds the memory, the processes and the log of every container", () => {
    const { services } = parse(compose, { merge: true });
    for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
      expect(service, name).toMatchObject({
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        logging: { driver: "json-file" },
      });
    }
  });

  it("pins every image by version and digest", () => {
    const { services } = parse(compose, { merge: true });
    const images: string[] = Object.values<{ image: string }>(services).map(({ image }) => image);
    const foreign = images.filter((image) => !image.startsWith("tapthru/"));

    expect(foreign).toHaveLength(9);
    for (const image of foreign) expect(interpolate(image, {})).toMatch(PINNED_IMAGE);
  });

  it("builds from the base images that the Dockerfile names", () => {
    const { "x-base-images": baseImages } = parse(compose, { merge: true });
    const args = [...dockerfile.matchAll(/^ARG (\w+_IMAGE)=(.+)$/gm)].map(
      ([, name = "", image = ""]) => [name, image],
    );
    const defaults = Object.entries<string>(baseImages).map(([name, value]) => [
      name,
      interpolate(value, {}),
    ]);

    expect(args).toHaveLength(2);
    expect(defaults).toEqual(args);
    for (const [, image] of args) expect(image).toMatch(PINNED_IMAGE);
  });

  it("runs the same Postgres and Redis in the local Kubernetes overlay", () => {
    const { services } = parse(compose, { merge: true });
    const manifests = ["postgres", "redis"].map((name) =>
      readText(`k8s/overlays/local/${name}.yaml`),
    );
    const images = manifests.flatMap((manifest) =>
      [...manifest.matchAll(/image: (.+)/g)].map(([, image]) => image),
    );

    const expected = ["postgres", "redis-cache", "redis-queue"].map((name) =>
      interpolate(services[name].image, {}),
    );
    expect(images).toEqual(expected);
  });

  it("runs the same blackbox exporter in Kubernetes", () => {
    const { services } = parse(compose, { merge: true });
    const [, image] = /image: (.+)/.exec(readText("k8s/components/monitoring/blackbox.yaml")) ?? [];

    expect(image).toBe(interpolate(services.blackbox.image, {}));
  });
});

describe(".env.example", () => {
  it("names the defaults of docker-compose.yml", () => {
    const defaults = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => [
      name,
      value,
    ]);
    const used = Object.fromEntries(
      [...compose.matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)].map(([, name, value]) => [name, value]),
    );

    expect(Object.fromEntries(defaults)).toEqual(used);
  });
});
