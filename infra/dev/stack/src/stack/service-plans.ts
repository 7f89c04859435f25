import { join } from "node:path";
import { ADS_CLIENT } from "@tapthru/amazon-stand-in/login-with-amazon";
import { NODE_OPTIONS } from "@tapthru/core/platform/config/node-options";
import { DATABASE, type LoginRole, loginRoleOf } from "@tapthru/postgres/login-roles";
import type { ProcessPlan } from "../processes/stack.ts";
import { inheritedEnvironment } from "./inherited-environment.ts";
import { redirectReplicasOf } from "./redirect-replicas.ts";
import type { Secrets } from "./secrets.ts";
import { CHECKOUT, COMPILE_CACHE_DIR, type Settings } from "./settings.ts";

export interface ServicePlan {
  process: ProcessPlan;
  readyUrl: string;
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

/**
 * The services in the order in which they start. Each gets its settings from the environment, else the
 * defaults of the local stack.
 */
export function servicePlans(settings: Settings, secrets: Secrets, options: ServiceOptions): ServicePlan[] {
  const { ports, environment } = settings;
  const nodeOptions = (service: keyof typeof NODE_OPTIONS) =>
    `${environment.NODE_OPTIONS ?? ""} ${NODE_OPTIONS[service]}`.trim();
  const { standInUrl, smtpUrl } = options;
  const redisUrl = `redis://127.0.0.1:${ports.REDIS_PORT}`;
  const egress = standInUrl !== null && {
    EGRESS_STAND_IN_URL: standInUrl,
    EGRESS_STAND_IN_URL_FILE: undefined,
  };
  const sender = smtpUrl !== null && { SMTP_FROM: LOCAL_SENDER };
  const api = { name: "api", port: ports.API_PORT, adminPort: ports.API_ADMIN_PORT };
  const worker = { name: "worker", port: null, adminPort: ports.WORKER_ADMIN_PORT };
  return [
    ...redirectReplicasOf(settings).map((replica) =>
      service("redirect", replica, secrets.redirectPassword, {
        defaults: { REDIS_QUEUE_URL: redisUrl, OUTCOME_KEY: secrets.outcomeKey },
        fixed: {
          NODE_OPTIONS: nodeOptions("redirect"),
          APP_OPENING_FILE: settings.appOpeningFile ?? undefined,
        },
      }),
    ),
    service("api", api, secrets.apiPassword, {
      defaults: {
        REDIS_QUEUE_URL: redisUrl,
        SESSION_KEYS: secrets.sessionKey,
        ENCRYPTION_KEYS: secrets.encryptionKey,
        WEBHOOK_KEYS: secrets.webhookKey,
        ...sender,
      },
      fixed: {
        NODE_OPTIONS: nodeOptions("api"),
        ...(settings.gateway.FIREBASE_WEB_CONFIG && {
          FIREBASE_PROJECT_ID: settings.gateway.FIREBASE_WEB_CONFIG.projectId,
          GOOGLE_APPLICATION_CREDENTIALS: environment.GOOGLE_APPLICATION_CREDENTIALS,
        }),
        ...egress,
        ...(standInUrl !== null && STAND_IN_ADS_SETTINGS),
      },
    }),
    service("worker", worker, secrets.workerPassword, {
      defaults: {
        REDIS_QUEUE_URL: redisUrl,
        ENCRYPTION_KEYS: secrets.encryptionKey,
        WEBHOOK_KEYS: secrets.webhookKey,
        ...(smtpUrl !== null && { SMTP_URL: smtpUrl }),
        ...sender,
      },
      fixed: {
        ...egress,
        LOCAL_GATEWAY_PORTS: `${ports.PORT},${ports.TLS_PORT}`,
      },
    }),
  ];

  function service(
    role: Exclude<LoginRole, "monitoring">,
    { name, port, adminPort }: { name: string; port: number | null; adminPort: number },
    password: string,
    own: { defaults: NodeJS.ProcessEnv; fixed: NodeJS.ProcessEnv },
  ): ServicePlan {
    const main = join(CHECKOUT, "services", role, "src", "main.ts");
    return {
      readyUrl: `http://127.0.0.1:${adminPort}/readyz`,
      process: {
        name,
        command: process.execPath,
        args: options.watch ? ["--watch", "--watch-preserve-output", main] : [main],
        cwd: CHECKOUT,
        logFile: join(settings.logsDir, `${name}.log`),
        env: {
          REDIS_CACHE_URL: redisUrl,
          ...own.defaults,
          ...inheritedEnvironment(role, environment),
          NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
          TAPTHRU_ENV: "local",
          PUBLIC_BASE_URL: settings.publicBaseUrl,
          HOST: "127.0.0.1",
          ...(port !== null && { PORT: String(port) }),
          ADMIN_PORT: String(adminPort),
          DATABASE_URL: serviceDatabaseUrl(settings, role, password),
          TLS: settings.certificatesDir === null ? "off" : "on",
          ...own.fixed,
        },
      },
    };
  }
}

export function serviceDatabaseUrl({ ports }: Settings, role: LoginRole, password: string): string {
  return `postgres://${loginRoleOf(role)}:${password}@127.0.0.1:${ports.POSTGRES_PORT}/${DATABASE}`;
}
