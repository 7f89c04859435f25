import { join } from "node:path";
import { parseEnv as parseEnvFile } from "node:util";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { compose, environmentOf, readText, services, settings } from "./compose-file.ts";
import { interpolate, variablesIn } from "./interpolate.ts";

const PRODUCTION = {
  TAPTHRU_ENV: "production",
  PUBLIC_BASE_URL: "https://go.example",
  GATEWAY_TRUSTED_PROXIES: "uniquelocal",
};
const SECRETS = {
  POSTGRES_PASSWORD: "9f2c6d",
  API_DATABASE_PASSWORD: "8e1b5c",
  REDIRECT_DATABASE_PASSWORD: "7d0a4b",
  WORKER_DATABASE_PASSWORD: "6c9f3a",
  SESSION_KEYS: "0123456789abcdef0123456789abcdef",
  ENCRYPTION_KEYS: "0123456789abcdef0123456789abcdef",
  WEBHOOK_KEYS: "0123456789abcdef0123456789abcdef",
  OUTCOME_KEY: "0123456789abcdef0123456789abcdef",
};

const example = readText(".env.example");
const demo = parseEnvFile(readText(".env.demo")) as Record<string, string>;

/** Names in .env.example, where each default is a comment. */
const exampleNames = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);

const tls = readText("infra/compose/tls.yml");

describe("docker-compose.yml", () => {
  it.each(CONTAINERS)("configures %s to start in the demo", (service) => {
    expect(readConfig(service, environmentOf(service, demo)).TAPTHRU_ENV).toBe("demo");
  });

  it.each(CONTAINERS)("lets %s start in production with other secrets", (service) => {
    const env = environmentOf(service, { ...PRODUCTION, ...SECRETS });

    expect(readConfig(service, env).TAPTHRU_ENV).toBe("production");
  });

  it.each([
    ["migrate", "DATABASE_URL"],
    ["api", "DATABASE_URL"],
    ["api", "SESSION_KEYS"],
    ["api", "ENCRYPTION_KEYS"],
    ["api", "WEBHOOK_KEYS"],
    ["worker", "WEBHOOK_KEYS"],
    ["redirect", "DATABASE_URL"],
    ["redirect", "OUTCOME_KEY"],
    ["worker", "DATABASE_URL"],
    ["certificates", "DATABASE_URL"],
    ["certificates", "ENCRYPTION_KEYS"],
  ] as const)("does not let %s start in production with the demo's %s", (service, name) => {
    expect(() => readConfig(service, environmentOf(service, PRODUCTION))).toThrow(name);
  });

  it("has exactly the variables of .env.example and .env.demo", () => {
    const used = new Set(variablesIn(compose + settings + tls).map(({ name }) => name));
    const documented = [...exampleNames, ...Object.keys(demo)].filter(
      (name) => !["COMPOSE_PROFILES", "COMPOSE_FILE"].includes(name),
    );

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

  it.each(["api", "redirect", "worker", "certificates", "migrate"] as const)(
    "lets %s trust the CA of a file in CONFIG_DIR",
    (service) => {
      const file = "/run/config/ca.pem";

      expect(environmentOf(service, { EXTRA_CA_FILE: file }).NODE_EXTRA_CA_CERTS).toBe(file);
      expect(services[service].volumes.join()).toMatch(/CONFIG_DIR:-.\/config}:\/run\/config:ro/);
    },
  );

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
    const needed = [...example.matchAll(/^# ★ [^=]*?^#([A-Z_]+)=/gm)].map(([, name]) => name);
    const written = readText("infra/compose/init.sh").match(/^[A-Z_]+(?==)/gm) ?? [];

    expect(needed).toHaveLength(10);
    expect(written).toEqual(expect.arrayContaining(needed));
  });

  it("lists the defaults of docker-compose.yml", () => {
    const defaults = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => [name, value]);
    // A default with a variable in it is described, not listed; images stand in docker-compose.yml alone.
    const used = variablesIn(`${compose}${settings}${tls}`)
      .filter(({ name, defaultValue }) => !defaultValue.includes("…") && !name.endsWith("_IMAGE"))
      .map(({ name, defaultValue }) => [name, defaultValue]);

    expect(Object.fromEntries(defaults)).toMatchObject(Object.fromEntries(used));
  });
});
