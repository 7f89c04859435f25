import { servicePlans } from "@tapthru/stack/stack/service-plans";
import { COMPILE_CACHE_DIR, readSettings } from "@tapthru/stack/stack/settings";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readConfig, SERVICES, settingsOf } from "./testing/service-configs.ts";

const SERVICES_OF_START = ["api", "redirect", "worker"] as const;

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
const SECRETS_OF = {
  api: [secrets.apiPassword, secrets.sessionKey, secrets.encryptionKey, secrets.webhookKey],
  redirect: [secrets.redirectPassword, secrets.outcomeKey],
  worker: [secrets.workerPassword, secrets.webhookKey],
};

afterEach(() => vi.unstubAllEnvs());

function environmentOf(service: (typeof SERVICES_OF_START)[number]): NodeJS.ProcessEnv {
  const standInUrl = "http://127.0.0.1:8090";
  const settings = { ...readSettings({}), environment: process.env };
  const plans = servicePlans(settings, secrets, { watch: false, standInUrl });
  return plans.find(({ process }) => process.name === service)?.process.env ?? {};
}

describe.each(SERVICES_OF_START)("start passes to %s", (service) => {
  it("a complete configuration", () => {
    expect(readConfig(service, environmentOf(service)).TAPTHRU_ENV).toBe("local");
  });

  it("the compile cache of the checkout", () => {
    expect(environmentOf(service).NODE_COMPILE_CACHE).toBe(COMPILE_CACHE_DIR);
  });

  it("its own secrets only", () => {
    const values = JSON.stringify(environmentOf(service));
    const given = Object.values(secrets).filter((secret) => values.includes(secret));
    expect(given.sort()).toEqual(SECRETS_OF[service].toSorted());
  });

  it("only the service's settings from the environment", () => {
    const everySetting = new Set(SERVICES.flatMap(settingsOf));
    const foreign = ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PGPASSWORD", "FIREBASE_TOKEN"];
    for (const name of [...everySetting, ...foreign]) {
      vi.stubEnv(name, "canary");
      vi.stubEnv(`${name}_FILE`, "/canary");
    }
    const environment = environmentOf(service);
    const own = settingsOf(service);

    const settings = Object.keys(environment).map((name) => name.replace(/_FILE$/, ""));
    expect(settings.filter((name) => everySetting.has(name) && !own.includes(name))).toEqual([]);
    expect(settings.filter((name) => foreign.includes(name))).toEqual([]);
    const unset = own.filter((name) => environment[name] === undefined);
    expect(unset.filter((name) => !NOT_LOCAL.includes(name))).toEqual([]);
  });
});

/** Only for a real Firebase project and a custom strategy table; `start` has its own settings for both. */
const NOT_LOCAL = ["GOOGLE_APPLICATION_CREDENTIALS", "APP_OPENING_FILE"];
