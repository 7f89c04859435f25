import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { type Env, EnvError, parseEnv } from "./env.ts";
import { commonSettings, portWithDefault, postgresUrl, redisUrl } from "./settings.ts";

const Settings = z.object({
  ...commonSettings,
  PORT: portWithDefault(8081),
  DATABASE_URL: postgresUrl,
  REDIS_CACHE_URL: redisUrl,
});

const LOCAL = {
  TAPTHRU_ENV: "local",
  DATABASE_URL: "postgres://api:hunter2@127.0.0.1:15432/tapthru",
  REDIS_CACHE_URL: "redis://127.0.0.1:16379",
};
const PRODUCTION = {
  PUBLIC_BASE_URL: "https://go.example",
  DATABASE_URL: "postgres://api:9f2c6d@db:5432/tapthru",
  REDIS_CACHE_URL: "rediss://cache:6379",
};

function errorsOf(env: Env): string[] {
  try {
    parseEnv(Settings, env);
  } catch (error) {
    if (error instanceof EnvError) return error.message.split("\n").slice(1);
    throw error;
  }
  return [];
}

describe("parseEnv", () => {
  it("uses default values for missing and empty variables", () => {
    expect(parseEnv(Settings, { ...LOCAL, PORT: "", LOG_LEVEL: "" })).toEqual({
      TAPTHRU_ENV: "local",
      PUBLIC_BASE_URL: "http://localhost:8080",
      PRODUCT_NAME: "Tapthru",
      CONTACT_EMAIL: "hello@localhost",
      HOST: "127.0.0.1",
      PORT: 8081,
      LOG_LEVEL: "info",
      TRUSTED_PROXIES: ["loopback"],
      TAPTHRU_VERSION: "unknown",
      DATABASE_URL: LOCAL.DATABASE_URL,
      REDIS_CACHE_URL: LOCAL.REDIS_CACHE_URL,
    });
  });

  it("reads a value from the file in NAME_FILE, in preference to NAME", () => {
    const folder = mkdtempSync(join(tmpdir(), "tapthru-env-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "database-url");
    writeFileSync(file, "postgres://api:mounted@db:5432/tapthru\n");

    expect(parseEnv(Settings, { ...LOCAL, DATABASE_URL_FILE: file }).DATABASE_URL).toBe(
      "postgres://api:mounted@db:5432/tapthru",
    );
    expect(errorsOf({ ...LOCAL, DATABASE_URL_FILE: join(folder, "nowhere") })).toEqual([
      "DATABASE_URL_FILE must be the path of a file that can be read",
    ]);
    writeFileSync(file, PRODUCTION.DATABASE_URL.replace("9f2c6d", "postgres"));
    expect(errorsOf({ ...PRODUCTION, DATABASE_URL_FILE: file })).toEqual([
      "DATABASE_URL must not carry a well-known password in production",
    ]);
  });

  it("lists all errors, one per line, without values", () => {
    const env = {
      TAPTHRU_ENV: "local",
      PORT: "70000",
      PUBLIC_BASE_URL: "http://localhost:8080/",
      LOG_LEVEL: "loud",
      TRUSTED_PROXIES: "loopback, nowhere",
      REDIS_CACHE_URL: "http://:hunter2@cache",
    };
    expect(errorsOf(env)).toEqual([
      "PUBLIC_BASE_URL must be an address such as https://go.example, without a path",
      "LOG_LEVEL must be fatal, error, warn, info, debug or trace",
      "TRUSTED_PROXIES must be a comma-separated list of addresses, CIDR blocks or loopback, linklocal, uniquelocal",
      "PORT must be a port from 1 to 65535",
      "DATABASE_URL is missing",
      "REDIS_CACHE_URL must be an address such as redis://host:6379, redis+cluster://node1:6379,node2:6379 or redis+sentinel://sentinel1:26379,sentinel2:26379/master-name",
    ]);
  });

  it("accepts a stand-in for the internet on this machine only", () => {
    expect(errorsOf({ ...LOCAL, EGRESS_STAND_IN_URL: "http://127.0.0.1:8090" })).toEqual([]);
    expect(errorsOf({ ...LOCAL, EGRESS_STAND_IN_URL: "http://10.0.0.1:8090" })).toEqual([
      "EGRESS_STAND_IN_URL must be a loopback address",
    ]);
  });

  it.each(["https://go.example/x", "https://go.example?", "ftp://go.example", "go.example"])(
    "refuses %s as the public address",
    (address) => {
      expect(errorsOf({ ...LOCAL, PUBLIC_BASE_URL: address })).toHaveLength(1);
    },
  );

  it("reads a list of trusted proxies", () => {
    const env = { ...LOCAL, TRUSTED_PROXIES: "loopback, 10.0.0.0/8,::1" };
    expect(parseEnv(Settings, env).TRUSTED_PROXIES).toEqual(["loopback", "10.0.0.0/8", "::1"]);
  });
});

describe("production", () => {
  it("is the default environment", () => {
    expect(parseEnv(Settings, PRODUCTION).TAPTHRU_ENV).toBe("production");
  });

  it.each([
    ["FIREBASE_AUTH_EMULATOR_HOST", "127.0.0.1:9099"],
    ["EGRESS_STAND_IN_URL", "http://127.0.0.1:8090"],
    ["RATE_LIMITS", "off"],
    ["PUBLIC_BASE_URL", "http://go.example"],
    ["DATABASE_URL", "postgres://api:postgres@db:5432/tapthru"],
    ["DATABASE_URL", "postgres://api:demo-only-api@db:5432/tapthru"],
    ["CLICKHOUSE_URL", "http://tapthru:demo-only-clickhouse@clicks:8123/tapthru"],
    ["DATABASE_URL", "postgres://api:PASSWORD@db:5432/tapthru"],
    ["API_DATABASE_PASSWORD", "demo-only-api"],
    ["SESSION_KEYS", "9f2c6d9f2c6d9f2c6d9f2c6d9f2c6d9f,demo-only-session-key"],
    ["ENCRYPTION_KEYS", "demo-only-encryption-key"],
    ["WEBHOOK_KEYS", "demo-only-webhook-key"],
    ["OUTCOME_KEY", "demo-only-outcome-key"],
    ["OUTCOME_KEY", "AT-LEAST-32-RANDOM-CHARACTERS-OF-YOUR-OWN"],
  ])("refuses %s=%s, which local and demo accept", (name, value) => {
    expect(errorsOf({ ...PRODUCTION, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must`)),
    ]);
    expect(errorsOf({ ...PRODUCTION, TAPTHRU_ENV: "demo", [name]: value })).toEqual([]);
  });

  it("refuses the default public address", () => {
    const { PUBLIC_BASE_URL: _, ...env } = PRODUCTION;
    expect(errorsOf(env)).toEqual(["PUBLIC_BASE_URL must start with https:// in production"]);
  });

  it("refuses an unknown environment", () => {
    expect(errorsOf({ ...PRODUCTION, TAPTHRU_ENV: "Local", RATE_LIMITS: "off" })).toEqual([
      "TAPTHRU_ENV must be local, demo or production",
      "RATE_LIMITS must not be off in production",
    ]);
  });

  it("can have additional rules of a service", () => {
    const refusal = { name: "KEYS", reason: () => "must be ours" };
    expect(() => parseEnv(z.object({}), {}, [refusal])).toThrow("KEYS must be ours");
  });
});
