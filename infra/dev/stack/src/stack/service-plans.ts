import { join } from "node:path";
import { ADS_CLIENT } from "@tapthru/amazon-stand-in/login-with-amazon";
import { NODE_OPTIONS } from "@tapthru/core/platform/config/node-options";
import { DATABASE, type LoginRole, loginRoleOf } from "@tapthru/postgres/login-roles";
import type { ProcessPlan } from "../processes/stack.ts";
import { inheritedEnvironment } from "./inherited-environment.ts";
import type { Secrets } from "./secrets.ts";
import { CHECKOUT, COMPILE_CACHE_DIR, type Settings } from "./settings.ts";

export interface ServicePlan {
  process: ProcessPlan;
  /** Null: it is ready when it runs. */
  readyUrl: string | null;
}

interface ServiceOptions {
  watch: boolean;
  /** URL of the Amazon stand-in; null for the real Amazon. */
  standInUrl: string | null;
  /** URL of the mail server of this stack; null for that of the environment. */
  smtpUrl: string | null;
}

const LOCAL_SENDER = "mail@localhost";

/** Login with Amazon uses the stand-in too. A `_FILE` setting would override the value. */
const STAND_IN_ADS_SETTINGS = {
  AMAZON_ADS_CLIENT_ID: ADS_CLIENT.id,
  AMAZON_ADS_CLIENT_ID_FILE: undefined,
  AMAZON_ADS_CLIENT_SECRET: ADS_CLIENT.secret,
  AMAZON_ADS_CLIENT_SECRET_FILE: undefined,
};

/** The programs of Node, in the checkout. */
export const PROGRAMS = {
  redirect: "services/redirect/src/main.ts",
  api: "services/api/src/main.ts",
  worker: "services/worker/src/main.ts",
  certificates: "infra/gateway/src/certificates/main.ts",
  "gateway-metrics": "infra/gateway/src/metrics/main.ts",
};

/**
 * The programs in the order in which they start. Each gets its settings from the environment, else the
 * defaults of the local stack.
 */
export function servicePlans(settings: Settings, secrets: Secrets, options: ServiceOptions): ServicePlan[] {
  const { ports, environment, certificatesDir } = settings;
  const { standInUrl, smtpUrl } = options;
  const redisUrl = `redis://127.0.0.1:${ports.REDIS_PORT}`;
  const redis = { REDIS_CACHE_URL: redisUrl, REDIS_QUEUE_URL: redisUrl };
  const keys = { ENCRYPTION_KEYS: secrets.encryptionKey, WEBHOOK_KEYS: secrets.webhookKey };
  const egress = standInUrl !== null && {
    EGRESS_STAND_IN_URL: standInUrl,
    EGRESS_STAND_IN_URL_FILE: undefined,
  };
  const sender = smtpUrl !== null && { SMTP_FROM: LOCAL_SENDER };
  const databaseUrl = (role: LoginRole, password: string) =>
    `postgres://${loginRoleOf(role)}:${password}@127.0.0.1:${ports.POSTGRES_PORT}/${DATABASE}`;
  const plans = [
    plan("redirect", ports.REDIRECT_ADMIN_PORT, {
      defaults: { ...redis, OUTCOME_KEY: secrets.outcomeKey },
      fixed: {
        PORT: String(ports.REDIRECT_PORT),
        DATABASE_URL: databaseUrl("redirect", secrets.redirectPassword),
        APP_OPENING_FILE: settings.appOpeningFile ?? undefined,
      },
    }),
    plan("api", ports.API_ADMIN_PORT, {
      defaults: { ...redis, ...keys, SESSION_KEYS: secrets.sessionKey, ...sender },
      fixed: {
        PORT: String(ports.API_PORT),
        DATABASE_URL: databaseUrl("api", secrets.apiPassword),
        ...(settings.gateway.FIREBASE_WEB_CONFIG && {
          FIREBASE_PROJECT_ID: settings.gateway.FIREBASE_WEB_CONFIG.projectId,
          GOOGLE_APPLICATION_CREDENTIALS: environment.GOOGLE_APPLICATION_CREDENTIALS,
        }),
        ...egress,
        ...(standInUrl !== null && STAND_IN_ADS_SETTINGS),
      },
    }),
    plan("worker", ports.WORKER_ADMIN_PORT, {
      defaults: { ...redis, ...keys, ...(smtpUrl !== null && { SMTP_URL: smtpUrl }), ...sender },
      fixed: {
        DATABASE_URL: databaseUrl("worker", secrets.workerPassword),
        ...egress,
        LOCAL_GATEWAY_PORTS: `${ports.PORT},${ports.TLS_PORT}`,
      },
    }),
    plan("gateway-metrics", ports.GATEWAY_ADMIN_PORT, {
      defaults: {},
      fixed: { SYSLOG_PORT: String(ports.GATEWAY_SYSLOG_PORT) },
    }),
  ];
  if (certificatesDir === null) return plans;
  const certificates = plan("certificates", null, {
    defaults: { ENCRYPTION_KEYS: secrets.encryptionKey },
    fixed: { DATABASE_URL: databaseUrl("redirect", secrets.redirectPassword), CERTIFICATES_DIR: certificatesDir },
  });
  return [...plans, certificates];

  function plan(
    name: keyof typeof PROGRAMS,
    adminPort: number | null,
    own: { defaults: NodeJS.ProcessEnv; fixed: NodeJS.ProcessEnv },
  ): ServicePlan {
    const main = join(CHECKOUT, PROGRAMS[name]);
    const nodeOptions = name in NODE_OPTIONS ? NODE_OPTIONS[name as keyof typeof NODE_OPTIONS] : "";
    return {
      readyUrl: adminPort === null ? null : `http://127.0.0.1:${adminPort}/readyz`,
      process: {
        name,
        command: process.execPath,
        args: options.watch ? ["--watch", "--watch-preserve-output", main] : [main],
        cwd: CHECKOUT,
        logFile: join(settings.logsDir, `${name}.log`),
        env: {
          ...own.defaults,
          ...inheritedEnvironment(name, environment),
          NODE_OPTIONS: `${environment.NODE_OPTIONS ?? ""} ${nodeOptions}`.trim(),
          NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
          TAPTHRU_ENV: "local",
          PUBLIC_BASE_URL: settings.publicBaseUrl,
          HOST: "127.0.0.1",
          ADMIN_PORT: adminPort === null ? undefined : String(adminPort),
          TLS: certificatesDir === null ? "off" : "on",
          ...own.fixed,
        },
      },
    };
  }
}
