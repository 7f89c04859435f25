import { standInUrlError } from "../safe-fetch/address.ts";

export type Environment = "local" | "demo" | "production";

/** @returns the error without the name of the setting, such as "must be set"; null for an allowed value */
export type Rule = (value: string | undefined, environment: Environment) => string | null;

function inProduction(reason: string, refuses: (value: string) => boolean): Rule {
  return (value = "", environment) =>
    environment === "production" && refuses(value) ? `${reason} in production` : null;
}

const WELL_KNOWN_PASSWORDS = ["postgres", "tapthru", "password", "secret", "changeme", "change-me"];

const KNOWN_PARTS = ["demo-only-", "of-your-own"];

function isKnownSecret(secret: string): boolean {
  const lowerCase = secret.toLowerCase();
  return KNOWN_PARTS.some((part) => lowerCase.includes(part));
}

function isWellKnown(password: string): boolean {
  return WELL_KNOWN_PASSWORDS.includes(password.toLowerCase()) || isKnownSecret(password);
}

export const httpsInProduction = inProduction("must start with https://", (value) => !value.startsWith("https://"));
export const httpsIfSetInProduction = inProduction(
  "must start with https://",
  (value) => value !== "" && !value.startsWith("https://"),
);
const unsetInProduction = inProduction("must not be set", (value) => value !== "");
/** For settings that are safe only on a machine that other users cannot reach. */
export const unsetUnlessLocal: Rule = (value = "", environment) =>
  environment !== "local" && value !== "" ? `must not be set in ${environment}` : null;
export const loopbackInDemo: Rule = (value = "127.0.0.1", environment) =>
  environment === "demo" && value !== "127.0.0.1" ? "must be 127.0.0.1 in demo: everybody knows its secrets" : null;
export const onInProduction = inProduction("must not be off", (value) => value === "off");
export const ownSecretInProduction = inProduction("must not hold a secret of the demo or of an example", isKnownSecret);
export const ownPasswordInProduction = inProduction("must not be a well-known password", isWellKnown);
export const ownUrlPasswordInProduction = inProduction("must not carry a well-known password", (url) =>
  isWellKnown(URL.parse(url)?.password ?? ""),
);

export const standInOutsideProduction: Rule = (value, environment) => {
  if (value === undefined) return null;
  return environment === "production" ? unsetInProduction(value, environment) : standInUrlError(value, environment);
};
