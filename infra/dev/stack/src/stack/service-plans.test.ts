import { readConfig } from "@tapthru/core/platform/config/configs";
import { expect, it } from "vitest";
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

const ofEnvironment = { LOG_LEVEL: "debug", SMTP_URL_FILE: "/mail", HOST: "0.0.0.0", PGPASSWORD: "p" };
const plans = servicePlans(readSettings(ofEnvironment), secrets, {
  watch: false,
  standInUrl: null,
  smtpUrl: "smtp://127.0.0.1:2525",
});

it.each([
  ["api", ["apiPassword", "sessionKey", "encryptionKey", "webhookKey"]],
  ["redirect", ["redirectPassword", "outcomeKey"]],
  ["worker", ["workerPassword", "encryptionKey", "webhookKey"]],
] as const)("start gives %s its settings of the environment, and no secret of another", (service, own) => {
  const environment = plans.find(({ process }) => process.name === service)?.process.env ?? {};
  const given = Object.entries(secrets).filter(([, secret]) => JSON.stringify(environment).includes(secret));
  expect(given.map(([name]) => name).sort()).toEqual(own.toSorted());
  expect(environment).toMatchObject({ LOG_LEVEL: "debug", HOST: "127.0.0.1" });
  expect(environment.SMTP_URL_FILE).toBe(service === "worker" ? "/mail" : undefined);
  expect(environment).not.toHaveProperty("PGPASSWORD");
  const { SMTP_URL_FILE: _, ...complete } = environment;
  expect(readConfig(service, complete).TAPTHRU_ENV).toBe("local");
});

it("start names the settings of the environment that it does not use", () => {
  const environment = { HOST: "0.0.0.0", DATABASE_URL_FILE: "/canary", ADMIN_PORT: "" };
  expect(unusedSettings(environment)).toEqual(["HOST", "DATABASE_URL"]);
});
