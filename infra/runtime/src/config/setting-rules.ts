import { standInUrlError } from "../safe-fetch/stand-in-url.ts";

export type Environment = "local" | "demo" | "production";

/** A setting whose allowed values depend on the environment. */
export interface SettingRule {
  name: string;
  /** The error without the name of the setting, such as "must be set"; null for an allowed value. */
  reason(value: string | undefined, environment: Environment): string | null;
}

function inProduction(
  name: string,
  reason: string,
  refuses: (value: string | undefined) => boolean,
): SettingRule {
  return {
    name,
    reason: (value, environment) =>
      environment === "production" && refuses(value) ? reason : null,
  };
}

/** Passwords that appear in examples and images. */
const WELL_KNOWN_PASSWORDS = ["postgres", "tapthru", "password", "secret", "changeme", "change-me"];

/** Prefixes of the demo's secrets and of placeholders in examples. */
const KNOWN_PARTS = ["demo-only-", "of-your-own"];

function isKnownSecret(secret: string): boolean {
  const lowerCase = secret.toLowerCase();
  return KNOWN_PARTS.some((part) => lowerCase.includes(part));
}

function isWellKnown(password: string): boolean {
  return WELL_KNOWN_PASSWORDS.includes(password.toLowerCase()) || isKnownSecret(password);
}

function passwordIn(address: string | undefined): string {
  return (address && URL.parse(address)?.password) || "";
}

const isSet = (value: string | undefined): boolean => value !== undefined;

/** Rules for all services; a service adds its own. */
export const COMMON_SETTING_RULES: readonly SettingRule[] = [
  inProduction(
    "PUBLIC_BASE_URL",
    "must start with https:// in production",
    (value) => !value?.startsWith("https://"),
  ),
  inProduction("FIREBASE_AUTH_EMULATOR_HOST", "must not be set in production", isSet),
  inProduction("EGRESS_STAND_IN_URL", "must not be set in production", isSet),
  {
    name: "EGRESS_STAND_IN_URL",
    reason: (value, environment) =>
      value === undefined || environment === "production"
        ? null
        : standInUrlError(value, environment),
  },
  inProduction("RATE_LIMITS", "must not be off in production", (value) => value === "off"),
  ...["DATABASE_URL", "DATABASE_READ_URL", "CLICKHOUSE_URL", "SMTP_URL"].map((name) =>
    inProduction(name, "must not carry a well-known password in production", (value) =>
      isWellKnown(passwordIn(value)),
    ),
  ),
  ...["SESSION_KEYS", "ENCRYPTION_KEYS", "WEBHOOK_KEYS", "OUTCOME_KEY"].map((name) =>
    inProduction(
      name,
      "must not hold a secret of the demo or of an example in production",
      (value) => isKnownSecret(value ?? ""),
    ),
  ),
  ...["API_DATABASE_PASSWORD", "WORKER_DATABASE_PASSWORD", "REDIRECT_DATABASE_PASSWORD"].map(
    (name) =>
      inProduction(name, "must not be a well-known password in production", (value) =>
        isWellKnown(value ?? ""),
      ),
  ),
];
