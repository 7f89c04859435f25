import * as z from "zod/mini";
import { createLogger } from "../logger.ts";
import { type Env, EnvError, parseEnv } from "./env.ts";
import { type Program, shapeOf } from "./settings.ts";
import { CLOUDFLARE_COUNTRY_HEADER, countryHeader, port, trustedProxies } from "./values.ts";

function required<Settings>(name: keyof Settings & string, isMissing: (config: Settings) => boolean) {
  return z.refine<Settings>((config) => !isMissing(config), { path: [name], error: "is missing" });
}

function allOrNone<Name extends string>(...names: Name[]) {
  type Settings = Record<Name, unknown>;
  return names.map((name) =>
    required<Settings>(name, (config) => config[name] === null && names.some((other) => config[other] !== null)),
  );
}

export const CONFIGS = {
  api: z
    .object({
      ...shapeOf("api"),
      PORT: z._default(port, 8081),
      ADMIN_PORT: z._default(port, 9081),
    })
    .check(
      // Google requires a service account to check whether a token was revoked.
      required(
        "GOOGLE_APPLICATION_CREDENTIALS",
        (config) =>
          config.FIREBASE_PROJECT_ID !== null &&
          config.FIREBASE_AUTH_EMULATOR_HOST === null &&
          config.GOOGLE_APPLICATION_CREDENTIALS === null,
      ),
      ...allOrNone("AMAZON_ADS_CLIENT_ID", "AMAZON_ADS_CLIENT_SECRET"),
      required(
        "ENCRYPTION_KEYS",
        ({ AMAZON_ADS_CLIENT_ID, FIREBASE_PROJECT_ID, ENCRYPTION_KEYS }) =>
          ENCRYPTION_KEYS === null && (AMAZON_ADS_CLIENT_ID !== null || FIREBASE_PROJECT_ID === null),
      ),
      ...allOrNone("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"),
      required("OIDC_ISSUER", ({ PASSWORD_LOGIN, OIDC_ISSUER }) => PASSWORD_LOGIN === "off" && OIDC_ISSUER === null),
      z.refine(({ OIDC_ISSUER, FIREBASE_PROJECT_ID }) => OIDC_ISSUER === null || FIREBASE_PROJECT_ID === null, {
        path: ["OIDC_ISSUER"],
        error: "needs the built-in identity provider, which FIREBASE_PROJECT_ID replaces",
      }),
    ),
  redirect: z.object({
    ...shapeOf("redirect"),
    // The gateway removes this header unless it trusts Cloudflare.
    COUNTRY_HEADER: z._default(countryHeader, CLOUDFLARE_COUNTRY_HEADER),
    PORT: z._default(port, 8082),
    ADMIN_PORT: z._default(port, 9082),
  }),
  worker: z.object(shapeOf("worker")).check(
    // The api offers emails if it has SMTP_FROM.
    ...allOrNone("SMTP_URL", "SMTP_FROM"),
    required("ENCRYPTION_KEYS", ({ TLS, ENCRYPTION_KEYS }) => TLS === "on" && ENCRYPTION_KEYS === null),
    ...allOrNone(
      "AMAZON_CREATORS_CLIENT_ID",
      "AMAZON_CREATORS_CLIENT_SECRET",
      "AMAZON_CREATORS_VERSION",
      "AMAZON_CREATORS_PARTNER_TAGS",
    ),
  ),
  // With the names of ranges.
  gateway: z.object({ ...shapeOf("gateway"), TRUSTED_PROXIES: z._default(trustedProxies, []) }).check(
    // Otherwise all visitors would have the address of the proxy, and share one limit.
    z.refine(
      ({ TAPTHRU_ENV, TLS, TRUSTED_PROXIES }) =>
        TAPTHRU_ENV !== "production" || TLS === "on" || TRUSTED_PROXIES.length > 0,
      {
        path: ["TRUSTED_PROXIES"],
        error: "must have the address of the proxy that serves https; in Compose it is GATEWAY_TRUSTED_PROXIES",
      },
    ),
  ),
  "gateway-metrics": z.object({
    ...shapeOf("gateway-metrics"),
    ADMIN_PORT: z._default(port, 9084),
  }),
  certificates: z
    .object(shapeOf("certificates"))
    .check(required("ENCRYPTION_KEYS", ({ ENCRYPTION_KEYS }) => ENCRYPTION_KEYS === null)),
  migrate: z.object(shapeOf("migrate")),
};

export type Config<P extends Program> = z.output<(typeof CONFIGS)[P]>;

/** @throws EnvError with every invalid setting */
export function readConfig<P extends Program>(program: P, env: Env = process.env): Config<P> {
  return parseEnv<(typeof CONFIGS)[P]>(CONFIGS[program], env);
}

/** Reads a program's configuration. If it is invalid, logs all errors in one JSON record and exits with 1. */
export function readConfigAtBoot<P extends Program>(program: P): Config<P> {
  try {
    return readConfig(program);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    createLogger({ service: program, level: "fatal" }).fatal(
      { event: "invalid_configuration", problems: error.problems },
      "invalid configuration",
    );
    process.exit(1);
  }
}
