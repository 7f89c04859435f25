import { readConfig } from "@tapthru/core/platform/config/configs";
import { describe, expect, it } from "vitest";
import { unusedSettings } from "./inherited-environment.ts";
import { servicePlans } from "./service-plans.ts";
import { readSettings } from "./settings.ts";

const secrets = {
  postgresPassword: "password-of-the-superuser",
  apiPassword: "password-of-api",
  workerPassword: "password-of-worker",
  redirectPassword: "password-of-redirect",
  sessionKey: "session-key-of-at-least-32-characters",
  encryptionKey: "encryption-key-of-at-least-32-characters",
  webhookKey: "webhook-key-of-at-least-32-characters",
  outcomeKey: "outcome-key-of-at-least-32-characters",
};

function environmentOf(service: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const plans = servicePlans(readSettings(env), secrets, {
    watch: false,
    standInUrl: null,
    smtpUrl: "smtp://127.0.0.1:2525",
  });
  return plans.find(({ process }) => process.name === service)?.process.env ?? {};
}

describe.each([
  ["api", ["apiPassword", "sessionKey", "encryptionKey", "webhookKey"]],
  ["redirect", ["redirectPassword", "outcomeKey"]],
  ["worker", ["workerPassword", "encryptionKey", "webhookKey"]],
] as const)("start passes to %s", (service, own) => {
  it("a complete configuration with its own secrets only", () => {
    const environment = environmentOf(service);
    const values = JSON.stringify(environment);
    const given = Object.entries(secrets).filter(([, secret]) => values.includes(secret));
    expect(readConfig(service, environment).TAPTHRU_ENV).toBe("local");
    expect(given.map(([name]) => name).sort()).toEqual(own.toSorted());
  });

  it("its settings from the environment, and nothing else", () => {
    const env = { LOG_LEVEL: "debug", SMTP_URL_FILE: "/mail", SESSION_KEYS: "k", PGPASSWORD: "p" };
    const { LOG_LEVEL, SMTP_URL_FILE, SESSION_KEYS, PGPASSWORD } = environmentOf(service, env);
    expect({ LOG_LEVEL, SMTP_URL_FILE, SESSION_KEYS, PGPASSWORD }).toEqual({
      LOG_LEVEL: "debug",
      SMTP_URL_FILE: service === "worker" ? "/mail" : undefined,
      SESSION_KEYS: service === "api" ? "k" : undefined,
      PGPASSWORD: undefined,
    });
  });
});

it("start reports the settings of the environment that it does not use", () => {
  const environment = { HOST: "0.0.0.0", DATABASE_URL_FILE: "/canary", ADMIN_PORT: "" };
  expect(unusedSettings(environment)).toEqual(["HOST", "DATABASE_URL"]);
});
