import type { LoginRole } from "@tapthru/postgres/login-roles";
import { SETTINGS_SET_BY_START, unusedSettings } from "@tapthru/stack/stack/inherited-environment";
import { servicePlans } from "@tapthru/stack/stack/service-plans";
import { readSettings } from "@tapthru/stack/stack/settings";
import { describe, expect, it } from "vitest";
import { SERVICES, settingsOf } from "./testing/service-configs.ts";
import { listedSettings, settingsSetByStart } from "./testing/settings-table.ts";

const SERVICES_OF_START: LoginRole[] = ["redirect", "api", "worker"];
const PROJECT = { apiKey: "canary", authDomain: "canary.example", projectId: "canary" };

/** Values for settings that do not accept any text. */
const VALUES: Record<string, string> = {
  PUBLIC_BASE_URL: "https://canary.example",
  CONTACT_EMAIL: "canary@canary.example",
  PORT: "12345",
  EGRESS_STAND_IN_URL: "http://127.0.0.1:12346",
  FIREBASE_WEB_CONFIG: JSON.stringify(PROJECT),
  GOOGLE_APPLICATION_CREDENTIALS: import.meta.filename,
  APP_OPENING_FILE: "/canary.json",
  REDIRECT_REPLICAS: "2",
  RATE_LIMITS: "off",
  TRUSTED_PROXIES: "203.0.113.7",
  COUNTRY_HEADER: "x-canary",
};

const secrets = {
  postgresPassword: "own",
  apiPassword: "own",
  workerPassword: "own",
  redirectPassword: "own",
  sessionKey: "own",
  encryptionKey: "own",
  webhookKey: "own",
  outcomeKey: "own",
};

const listed = listedSettings();
/** `PORT` is the gateway's here; each service has its own port setting. */
const passedOn = listed.filter(
  ({ name }) => !SETTINGS_SET_BY_START.includes(name) && name !== "PORT",
);
const given = Object.fromEntries(listed.map(({ name }) => [name, VALUES[name] ?? "canary"]));
const settings = readSettings(given);

function environmentOf(service: LoginRole): NodeJS.ProcessEnv {
  const plans = servicePlans(settings, secrets, { watch: false, standInUrl: null });
  return plans.find(({ process }) => process.name === service)?.process.env ?? {};
}

function isOf(service: LoginRole | "gateway", of: string): boolean {
  const users = of.split(/[,;] /);
  const isService = service !== "gateway";
  return users.includes("all") || users.includes(service) || (isService && users[0] === "services");
}

describe("the table of docs/configuration.md", () => {
  it("lists every setting that a service reads", () => {
    const names = listed.map(({ name }) => name);
    const insideImages = ["WEB_ROOT", "RUN_DIRECTORY", "TAPTHRU_VERSION"];
    const read = new Set(SERVICES.flatMap(settingsOf));
    expect(
      [...read].filter((name) => !names.includes(name) && !insideImages.includes(name)),
    ).toEqual([]);
  });

  it.each(SERVICES_OF_START)("lists for %s the settings that start passes to it", (service) => {
    const environment = environmentOf(service);
    const own = passedOn.filter(({ of }) => isOf(service, of)).map(({ name }) => name);
    expect(own).not.toEqual([]);
    expect(own.filter((name) => environment[name] !== given[name])).toEqual([]);
  });

  it("lists for the gateway the settings that start uses", () => {
    const { publicBaseUrl, productName, contactEmail, identity, appOpeningFile } = settings;
    const values = [publicBaseUrl, productName, contactEmail, appOpeningFile];
    values.push(settings.trustedProxies.join(), settings.countryHeader);
    values.push(JSON.stringify(identity.webConfig), settings.limitsClients ? "on" : "off");
    const own = passedOn.filter(({ of }) => isOf("gateway", of));
    expect(own.map(({ name }) => name)).toContain("FIREBASE_WEB_CONFIG");
    expect(own.filter(({ name }) => !values.includes(given[name] ?? null))).toEqual([]);
  });

  it("is followed by the settings that start sets itself", () => {
    expect(settingsSetByStart()).toEqual(SETTINGS_SET_BY_START);
  });
});

describe("start", () => {
  it("reports the settings of the environment that it does not use", () => {
    const environment = { HOST: "0.0.0.0", DATABASE_URL_FILE: "/canary", ADMIN_PORT: "" };
    expect(unusedSettings(environment)).toEqual(["HOST", "DATABASE_URL"]);
  });
});
