import { type Program, SETTINGS, shapeOf } from "@tapthru/core/platform/config/settings";

/** Variables that Node and system libraries read. */
const SYSTEM_VARIABLES = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_ENV",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "https_proxy",
  "http_proxy",
  "no_proxy",
];

/** Settings that `start` sets itself. */
export const SETTINGS_SET_BY_START = [
  "TAPTHRU_ENV",
  "HOST",
  "ADMIN_PORT",
  "DATABASE_URL",
  "FIREBASE_PROJECT_ID",
  "FIREBASE_AUTH_EMULATOR_HOST",
];

/** Settings that `start` reads, to derive settings of the services and the gateway from them. */
const START_SETTINGS = ["GOOGLE_APPLICATION_CREDENTIALS", "APP_OPENING_FILE"];

/** `PORT` is the gateway's; each service has its own port setting. */
const NOT_INHERITED = [...SETTINGS_SET_BY_START, ...START_SETTINGS, "PORT"];

function settingsOf(service: Program): string[] {
  return Object.keys(shapeOf(service)).filter((name) => !NOT_INHERITED.includes(name));
}

const ALL_SETTINGS = withFiles(Object.keys(SETTINGS));

function withFiles(names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

/**
 * The part of our environment that a service gets: its settings and system variables, no secrets of
 * other services and no other variables of the shell. An empty variable is absent.
 */
export function inheritedEnvironment(service: Program, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = withFiles(settingsOf(service));
  return pick(
    environment,
    (name) => environment[name] !== "" && (SYSTEM_VARIABLES.includes(name) || settings.has(name)),
  );
}

/** The environment without settings of Tapthru, for a stack with default settings. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return pick(environment, (name) => !ALL_SETTINGS.has(name));
}

/** The settings in our environment that `start` ignores because it sets them itself. */
export function unusedSettings(environment: NodeJS.ProcessEnv): string[] {
  return SETTINGS_SET_BY_START.filter((name) => environment[name] || environment[`${name}_FILE`]);
}

function pick(environment: NodeJS.ProcessEnv, keeps: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => keeps(name)));
}
