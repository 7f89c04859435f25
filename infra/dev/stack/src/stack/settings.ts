import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoginSettings, loginSettings } from "@tapthru/gateway/settings";
import { parseEnv } from "@tapthru/runtime/config/env";
import { SETTINGS } from "@tapthru/runtime/config/settings";
import { origin, port, trustedProxies } from "@tapthru/runtime/config/values";
import * as z from "zod/mini";
import { chooseIdentity, type Identity, identitySettings } from "./identity.ts";

export const CHECKOUT = resolve(fileURLToPath(new URL("../../../../..", import.meta.url)));
/** Programs downloaded for this checkout; all runs and tests share them. */
export const TOOLS_DIR = join(CHECKOUT, ".data", "tools");
/** Node's compile cache of this checkout; all runs and tests share it. */
export const COMPILE_CACHE_DIR = join(CHECKOUT, ".data", "compile-cache");

const PORTS = {
  PORT: z._default(port, 8080),
  TLS_PORT: z._default(port, 8444),
  API_PORT: z._default(port, 8081),
  API_ADMIN_PORT: z._default(port, 9081),
  REDIRECT_PORT: z._default(port, 8082),
  REDIRECT_ADMIN_PORT: z._default(port, 9082),
  WORKER_ADMIN_PORT: z._default(port, 9083),
  GATEWAY_ADMIN_PORT: z._default(port, 9084),
  GATEWAY_SYSLOG_PORT: z._default(port, 5514),
  POSTGRES_PORT: z._default(port, 15_432),
  REDIS_PORT: z._default(port, 16_379),
  STAND_IN_PORT: z._default(port, 8090),
  STAND_IN_TLS_PORT: z._default(port, 8443),
  VITE_PORT: z._default(port, 5173),
};

export type PortName = keyof typeof PORTS;
export const PORT_NAMES = Object.keys(PORTS) as PortName[];

/** Each has up to ten connections to Postgres, which allows 300. */
const MAX_REDIRECTS = 20;

const replicas = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => /^[1-9]\d?$/.test(text) && Number(text) <= MAX_REDIRECTS,
        `must be a number from 1 to ${MAX_REDIRECTS}`,
      ),
    ),
  z.transform(Number),
);

const SCHEMA = z.object({
  ...PORTS,
  ...identitySettings,
  PUBLIC_BASE_URL: z.optional(origin),
  PRODUCT_NAME: SETTINGS.PRODUCT_NAME.schema,
  CONTACT_EMAIL: SETTINGS.CONTACT_EMAIL.schema,
  HSTS_MAX_AGE: SETTINGS.HSTS_MAX_AGE.schema,
  TLS: z._default(z.nullable(z.enum(["on", "off"], "must be on or off")), null),
  TAPTHRU_DATA_DIR: z._default(z.string(), ".data"),
  SIGNUP_MODE: SETTINGS.SIGNUP_MODE.schema,
  PASSWORD_LOGIN: SETTINGS.PASSWORD_LOGIN.schema,
  OIDC_ISSUER: SETTINGS.OIDC_ISSUER.schema,
  OIDC_NAME: SETTINGS.OIDC_NAME.schema,
  OIDC_ICON: SETTINGS.OIDC_ICON.schema,
  AMAZON_ADS_CLIENT_ID: SETTINGS.AMAZON_ADS_CLIENT_ID.schema,
  APP_OPENING_FILE: SETTINGS.APP_OPENING_FILE.schema,
  REDIRECT_REPLICAS: z._default(replicas, 1),
  RATE_LIMITS: SETTINGS.RATE_LIMITS.schema,
  TRUSTED_PROXIES: z._default(trustedProxies, []),
  COUNTRY_HEADER: SETTINGS.COUNTRY_HEADER.schema,
});

/** Ports, folders and settings of the local stack, from the environment. */
export interface Settings {
  publicBaseUrl: string;
  hstsMaxAge: number;
  productName: string;
  contactEmail: string;
  /** Firebase; null: the built-in identity provider. */
  identity: Identity | null;
  login: LoginSettings;
  dataDir: string;
  logsDir: string;
  /** Where the gateway's certificates are, if it serves https; it does by default unless the site's address is https. */
  certificatesDir: string | null;
  webDir: string;
  gatewayDir: string;
  /** Whether the api is a client of Login with Amazon, apart from the stand-in's. */
  hasAmazonAds: boolean;
  /** Absolute path of a strategy table that replaces the built-in one. */
  appOpeningFile: string | null;
  /** How many replicas of the redirect run. */
  redirectReplicas: number;
  /** Whether the gateway limits concurrent requests of one address. */
  limitsClients: boolean;
  /** Proxies in front of the gateway. */
  trustedProxies: readonly string[];
  /** The header with the visitor's country that these proxies send. */
  countryHeader: string | null;
  ports: Record<PortName, number>;
  /** The whole environment; each service inherits its settings from it. */
  environment: NodeJS.ProcessEnv;
}

/**
 * @throws EnvError with every invalid setting
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const {
    PUBLIC_BASE_URL,
    PRODUCT_NAME,
    CONTACT_EMAIL,
    HSTS_MAX_AGE,
    TLS,
    TAPTHRU_DATA_DIR,
    AMAZON_ADS_CLIENT_ID,
    APP_OPENING_FILE,
    REDIRECT_REPLICAS,
    RATE_LIMITS,
    TRUSTED_PROXIES,
    COUNTRY_HEADER,
    FIREBASE_WEB_CONFIG,
    GOOGLE_APPLICATION_CREDENTIALS,
    SIGNUP_MODE,
    PASSWORD_LOGIN,
    OIDC_ISSUER,
    OIDC_NAME,
    OIDC_ICON,
    ...ports
  } = parseEnv(SCHEMA, { ...env, TAPTHRU_ENV: "local" });
  const dataDir = resolve(CHECKOUT, TAPTHRU_DATA_DIR);
  const publicBaseUrl = PUBLIC_BASE_URL ?? `http://localhost:${ports.PORT}`;
  // A proxy serves a site whose address is https, as before TLS was a setting.
  const tls = TLS ?? (publicBaseUrl.startsWith("https:") ? "off" : "on");
  return {
    publicBaseUrl,
    productName: PRODUCT_NAME,
    contactEmail: CONTACT_EMAIL,
    hstsMaxAge: HSTS_MAX_AGE,
    identity: chooseIdentity({ FIREBASE_WEB_CONFIG, GOOGLE_APPLICATION_CREDENTIALS }),
    login: loginSettings({ SIGNUP_MODE, PASSWORD_LOGIN, OIDC_ISSUER, OIDC_NAME, OIDC_ICON }),
    dataDir,
    logsDir: join(dataDir, "logs"),
    certificatesDir: tls === "on" ? join(dataDir, "certificates") : null,
    webDir: join(dataDir, "web"),
    gatewayDir: join(dataDir, "gateway"),
    hasAmazonAds: AMAZON_ADS_CLIENT_ID !== null,
    appOpeningFile: APP_OPENING_FILE && resolve(APP_OPENING_FILE),
    redirectReplicas: REDIRECT_REPLICAS,
    limitsClients: RATE_LIMITS === "on",
    trustedProxies: TRUSTED_PROXIES,
    countryHeader: COUNTRY_HEADER,
    ports,
    environment: env,
  };
}
