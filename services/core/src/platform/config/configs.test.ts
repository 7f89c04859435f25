import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "./configs.ts";
import { type Env, EnvError } from "./env.ts";
import type { Program } from "./settings.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const ENV = {
  PUBLIC_BASE_URL: "https://go.example",
  DATABASE_URL: "postgres://role:9f2c6d@db:5432/tapthru",
  REDIS_CACHE_URL: "rediss://cache:6379",
  REDIS_QUEUE_URL: "rediss://queue:6379",
  SESSION_KEYS: KEY,
  ENCRYPTION_KEYS: KEY,
  OUTCOME_KEY: KEY,
  TRUSTED_PROXIES: "uniquelocal",
  API_ADDRESS: "api:8080",
  REDIRECT_ADDRESS: "redirect:8080",
  WEB_ROOT: "/web",
};
const LOCAL = { ...ENV, TAPTHRU_ENV: "local" };

function errorsOf(program: Program, changes: Env): readonly string[] {
  try {
    readConfig(program, { ...ENV, ...changes });
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
  return [];
}

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tapthru-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "value");
  writeFileSync(file, text);
  return file;
}

describe("a program's configuration", () => {
  it("has default values for missing and empty variables", () => {
    expect(readConfig("redirect", { ...LOCAL, PUBLIC_BASE_URL: "", LOG_LEVEL: "" })).toMatchObject({
      TAPTHRU_ENV: "local",
      TAPTHRU_VERSION: "unknown",
      PUBLIC_BASE_URL: "http://localhost:8080",
      HOST: "127.0.0.1",
      ADMIN_PORT: 9082,
      LOG_LEVEL: "info",
    });
  });

  it("takes a value from the file in NAME_FILE, in preference to NAME", () => {
    const mounted = "postgres://role:mounted@db:5432/tapthru";
    const config = readConfig("api", { ...ENV, DATABASE_URL_FILE: fileWith(`${mounted}\n`) });
    expect(config.DATABASE_URL).toBe(mounted);
    expect(errorsOf("api", { DATABASE_URL_FILE: "/no/such/file" })).toEqual([
      "DATABASE_URL_FILE must be the path of a file that can be read",
    ]);
    const wellKnown = fileWith("postgres://role:postgres@db:5432/tapthru");
    expect(errorsOf("api", { DATABASE_URL_FILE: wellKnown })).toEqual([
      "DATABASE_URL must not carry a well-known password in production",
    ]);
  });

  it("lists all errors, without values", () => {
    const env = {
      TAPTHRU_ENV: "local",
      PORT: "70000",
      PUBLIC_BASE_URL: "http://localhost:8080/",
      LOG_LEVEL: "loud",
      TRUSTED_PROXIES: "loopback, nowhere",
      DATABASE_URL: undefined,
      REDIS_CACHE_URL: "http://:hunter2@cache",
    };
    expect(errorsOf("redirect", env).toSorted()).toEqual([
      "DATABASE_URL is missing",
      "LOG_LEVEL must be fatal, error, warn, info, debug or trace",
      "PORT must be a port from 1 to 65535",
      "PUBLIC_BASE_URL must be an address such as https://go.example, without a path",
      "REDIS_CACHE_URL must be an address such as redis://host:6379 or redis+cluster://node1:6379,node2:6379",
      "TRUSTED_PROXIES must be a comma-separated list of addresses, CIDR blocks or cloudflare, google, loopback, linklocal, uniquelocal",
    ]);
  });

  it("is logged as one record at boot if it is invalid, and the process exits with 1", () => {
    const module = JSON.stringify(new URL("configs.ts", import.meta.url).href);
    const script = `import { readConfigAtBoot } from ${module}; readConfigAtBoot("migrate");`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      env: { DATABASE_URL: "http://db", TAPTHRU_ENV: "local" },
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      level: "fatal",
      service: "migrate",
      event: "invalid_configuration",
      msg: "invalid configuration",
      problems: ["DATABASE_URL must be an address such as postgres://user:password@host:5432/database"],
    });
  });
});

it("refuses to publish the demo, whose secrets everybody knows, to other machines", () => {
  const published = (TAPTHRU_ENV: string) => errorsOf("gateway", { TAPTHRU_ENV, PUBLISH_ADDRESS: "0.0.0.0" });
  expect(published("demo")).toEqual(["PUBLISH_ADDRESS must be 127.0.0.1 in demo: everybody knows its secrets"]);
  expect([published("production"), published("local")]).toEqual([[], []]);
});

it.each(["demo", "production"])("refuses the Firebase emulator in %s", (TAPTHRU_ENV) => {
  const emulator = { TAPTHRU_ENV, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" };
  expect(errorsOf("api", emulator)).toEqual([expect.stringMatching(/^FIREBASE_AUTH_EMULATOR_HOST must not be set/)]);
});

describe("production", () => {
  it("is the default environment, which needs no identity provider", () => {
    expect(readConfig("api", ENV)).toMatchObject({ TAPTHRU_ENV: "production", FIREBASE_PROJECT_ID: null });
  });

  it.each([
    ["worker", "EGRESS_STAND_IN_URL", "http://127.0.0.1:8090"],
    ["redirect", "RATE_LIMITS", "off"],
    ["gateway", "PUBLIC_BASE_URL", "http://go.example"],
    ["gateway", "PUBLIC_BASE_URL", ""],
    ["api", "DATABASE_URL", "postgres://api:postgres@db:5432/tapthru"],
    ["migrate", "DATABASE_URL", "postgres://api:demo-only-api@db:5432/tapthru"],
    ["redirect", "DATABASE_URL", "postgres://api:PASSWORD@db:5432/tapthru"],
    ["migrate", "API_DATABASE_PASSWORD", "demo-only-api"],
    ["api", "SESSION_KEYS", `${KEY},demo-only-session-key-everybody-knows`],
    ["api", "ENCRYPTION_KEYS", "demo-only-encryption-key-everybody-knows"],
    ["worker", "WEBHOOK_KEYS", "demo-only-webhook-key-everybody-knows"],
    ["redirect", "OUTCOME_KEY", "AT-LEAST-32-RANDOM-CHARACTERS-OF-YOUR-OWN"],
  ] as const)("does not let %s start with %s=%s, which the demo accepts", (program, name, value) => {
    expect(errorsOf(program, { [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must`))]);
    expect(errorsOf(program, { TAPTHRU_ENV: "demo", [name]: value })).toEqual([]);
  });

  it("needs the proxy that serves https in front of the gateway, unless the gateway does", () => {
    expect(errorsOf("gateway", { TRUSTED_PROXIES: "" })).toEqual([
      "TRUSTED_PROXIES must have the address of the proxy that serves https; in Compose it is GATEWAY_TRUSTED_PROXIES",
    ]);
    expect(errorsOf("gateway", { TAPTHRU_ENV: "demo", TRUSTED_PROXIES: "" })).toEqual([]);
    expect(errorsOf("gateway", { TLS: "on", TRUSTED_PROXIES: "" })).toEqual([]);
  });

  it("trusts no proxies in a network that is too large", () => {
    for (const TRUSTED_PROXIES of ["0.0.0.0/0", "::/0", "10.0.0.1, 128.0.0.0/1"])
      expect(errorsOf("gateway", { TRUSTED_PROXIES })).toEqual([
        "TRUSTED_PROXIES must not have a network larger than /8, or /16 for IPv6: a client in a trusted network chooses its own address",
      ]);
  });

  it("is assumed for an unknown environment", () => {
    expect(errorsOf("redirect", { TAPTHRU_ENV: "Local", RATE_LIMITS: "off" })).toEqual([
      "TAPTHRU_ENV must be local, demo or production",
      "RATE_LIMITS must not be off in production",
    ]);
  });
});

describe("settings that need each other", () => {
  const ads = { AMAZON_ADS_CLIENT_ID: "id", AMAZON_ADS_CLIENT_SECRET: "secret" };
  const firebase = { FIREBASE_PROJECT_ID: "ours", GOOGLE_APPLICATION_CREDENTIALS: import.meta.filename };
  const openId = { OIDC_ISSUER: "https://login.example", OIDC_CLIENT_ID: "tapthru", OIDC_CLIENT_SECRET: "secret" };
  const creators = {
    AMAZON_CREATORS_CLIENT_ID: "amzn1.application-oa2-client.abc",
    AMAZON_CREATORS_CLIENT_SECRET: "top-secret",
    AMAZON_CREATORS_VERSION: "3.2",
    AMAZON_CREATORS_PARTNER_TAGS: '{"de":"me-21","co.uk":"me0c-21"}',
  };
  const mail = { SMTP_URL: "smtp://smtp.example:587?tls.servername=mx", SMTP_FROM: "a@go.example" };

  it.each([
    ["api", {}, ["ENCRYPTION_KEYS"]],
    ["api", { ...firebase, ENCRYPTION_KEYS: "" }, []],
    ["api", { ...firebase, ...ads }, ["AMAZON_ADS_CLIENT_SECRET", "ENCRYPTION_KEYS"]],
    ["api", openId, ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]],
    ["worker", creators, Object.keys(creators)],
    ["worker", mail, Object.keys(mail)],
  ] as const)("lets %s start with %j, and names a missing one of %j", (program, settings, needed) => {
    expect(errorsOf(program, settings)).toEqual([]);
    for (const name of needed) expect(errorsOf(program, { ...settings, [name]: "" })).toEqual([`${name} is missing`]);
  });

  it("does not let api start without a way to log in, or with two", () => {
    const { FIREBASE_PROJECT_ID } = firebase;
    expect(errorsOf("api", { PASSWORD_LOGIN: "off" })).toEqual(["OIDC_ISSUER is missing"]);
    expect(errorsOf("api", { FIREBASE_PROJECT_ID })).toEqual(["GOOGLE_APPLICATION_CREDENTIALS is missing"]);
    expect(errorsOf("api", { ...firebase, ...openId })).toEqual([
      "OIDC_ISSUER needs the built-in identity provider, which FIREBASE_PROJECT_ID replaces",
    ]);
  });
});

describe("a value", () => {
  const HOUR_MS = 60 * 60 * 1_000;
  const inHours = (hours: number) => `${new Date(Date.now() + hours * HOUR_MS).toISOString().slice(0, 16)}Z`;

  it.each([
    ["gateway", "TRUSTED_PROXIES", "cloudflare, 10.0.0.0/8,::1", ["cloudflare", "10.0.0.0/8", "::1"]],
    ["redirect", "TRUSTED_PROXIES", "linklocal,10.0.0.9", ["169.254.0.0/16", "fe80::/10", "10.0.0.9"]],
    ["redirect", "COUNTRY_HEADER", "", "cf-ipcountry"],
    ["redirect", "COUNTRY_HEADER", "Cloudflare", "cf-ipcountry"],
    ["redirect", "COUNTRY_HEADER", "X-Country", "x-country"],
    ["gateway", "FIREBASE_WEB_CONFIG", '{"apiKey":"k"}', { apiKey: "k" }],
    ["gateway", "LOG_CLIENT_ADDRESSES_UNTIL", "2026-11-21T00:00+01:00", Date.UTC(2026, 10, 20, 23)],
    ["api", "SESSION_KEYS", `${KEY}, ${KEY}x`, [KEY, `${KEY}x`]],
    ["api", "RATE_LIMIT_TOKEN", `2026-11-21T00:00Z,${KEY}`, { token: KEY, untilMs: Date.UTC(2026, 10, 21) }],
  ] as const)("reads the setting of %s, %s=%s, as %j", (program, name, text, value) => {
    expect(readConfig(program, { ...ENV, [name]: text })).toMatchObject({ [name]: value });
  });

  it.each([
    ["api", "PUBLIC_BASE_URL", ["https://go.example/x", "https://go.example?", "ftp://go.example"]],
    ["api", "SESSION_KEYS", ["short", `${KEY},short`, `${KEY},`]],
    ["api", "GOOGLE_APPLICATION_CREDENTIALS", ["/no/such/file"]],
    ["worker", "SMTP_URL", ["smtp.example:465", "https://smtp.example", "smtp://", "smtp://a/path"]],
    ["worker", "SMTP_FROM", ["mail", "Mail <mail@go.example>", "a@go.example\r\nBcc: e@b", "a@b, c@d"]],
    ["worker", "AMAZON_CREATORS_VERSION", ["2.1"]],
    [
      "worker",
      "AMAZON_CREATORS_PARTNER_TAGS",
      ["de", "[]", "null", '{"example":"me-20"}', '{"de":""}', '{"de":21}', '{"de":"a b"}'],
    ],
    ["gateway", "FIREBASE_WEB_CONFIG", ["{apiKey}", "[]", '{"apiKey":1}']],
    [
      "gateway",
      "LOG_CLIENT_ADDRESSES_UNTIL",
      ["tomorrow", "2026-11-22", "2026-11-22T00:00", "2026-13-45T00:00Z", inHours(7 * 24 + 1)],
    ],
    [
      "api",
      "RATE_LIMIT_TOKEN",
      [KEY, `${KEY},${inHours(1)}`, `${inHours(1)},${KEY.slice(1)}`, `${inHours(25)},${KEY}`],
    ],
  ] as const)("refuses the setting of %s, %s, with the value %j", (program, name, texts) => {
    for (const text of texts) {
      expect(errorsOf(program, { [name]: text })).toContainEqual(expect.stringMatching(new RegExp(`^${name} must`)));
    }
  });

  it("LOG_CLIENT_ADDRESSES_UNTIL is at most seven days ahead", () => {
    expect(errorsOf("gateway", { LOG_CLIENT_ADDRESSES_UNTIL: inHours(7 * 24 - 1) })).toEqual([]);
  });

  it("EGRESS_STAND_IN_URL is an address of this machine under start", () => {
    const inLocal = { TAPTHRU_ENV: "local", EGRESS_STAND_IN_URL: "http://127.0.0.1:8090" };
    expect(errorsOf("worker", inLocal)).toEqual([]);
    expect(errorsOf("worker", { ...inLocal, EGRESS_STAND_IN_URL: "http://10.0.0.1:8090" })).toEqual([
      "EGRESS_STAND_IN_URL must be a loopback address",
    ]);
  });
});
