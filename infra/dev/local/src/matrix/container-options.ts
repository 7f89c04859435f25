import { availableParallelism } from "node:os";
import { findOnPath } from "../programs/on-path.ts";
import type { Machine } from "./machines.ts";

const SOCKET = "/var/run/docker.sock";
const MANY_FONTS = ["fonts-noto-core", "fonts-noto-cjk", "fonts-liberation", "fonts-freefont-ttf"];

/** How this machine reaches the package registries, passed on to the containers. */
const REGISTRY_SETTINGS = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  "NPM_CONFIG_REGISTRY",
];
const CERTIFICATES = "/usr/local/share/host-certificates.pem";

/** Options of `docker run`. */
export function dockerRunOptions(machine: Machine): string[] {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  return [
    "--init",
    ...(machine.cores <= availableParallelism() ? [`--cpuset-cpus=0-${machine.cores - 1}`] : []),
    ...(certificates === undefined ? [] : [readOnly(certificates, CERTIFICATES)]),
    ...(machine.hasDocker ? dockerOptions() : []),
  ];
}

function readOnly(path: string, inside: string): string {
  return `--volume=${path}:${inside}:ro`;
}

/** Gives access to this machine's engine; ports of its containers are at host.docker.internal. */
function dockerOptions(): string[] {
  const program = findOnPath("docker") ?? "";
  return [
    `--volume=${SOCKET}:${SOCKET}`,
    readOnly(program, "/usr/local/bin/docker"),
    "--add-host=host.docker.internal:host-gateway",
  ];
}

/** The environment of both commands. */
export function environmentOf(machine: Machine): Record<string, string> {
  const { env } = process;
  const registrySettings = REGISTRY_SETTINGS.flatMap((name) =>
    env[name] ? [[name, env[name]]] : [],
  );
  return {
    CI: "true",
    LANG: machine.locale,
    TZ: machine.timeZone,
    ...Object.fromEntries(registrySettings),
    ...(env.NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
    ...(machine.cores > availableParallelism() && {
      NODE_OPTIONS: overrideCoreCount(machine.cores),
    }),
    ...(machine.hasDocker && {
      TESTCONTAINERS_HOST_OVERRIDE: "host.docker.internal",
      TESTCONTAINERS_RYUK_DISABLED: "true",
    }),
  };
}

/** Makes Node processes see this number of cores, so that they start as many workers. */
function overrideCoreCount(cores: number): string {
  const script = [
    'import os from "node:os"',
    'import { syncBuiltinESMExports } from "node:module"',
    `os.availableParallelism = () => ${cores}`,
    "const [core] = os.cpus()",
    `os.cpus = () => Array(${cores}).fill(core)`,
    "syncBuiltinESMExports()",
  ].join("\n");
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

/** Packages that create the machine's locale and fonts; the commands need none. */
export function packagesOf(machine: Machine): string[] {
  const needsLocale = machine.isLocaleInstalled && machine.locale !== "C.UTF-8";
  return [...(machine.fonts === "large" ? MANY_FONTS : []), ...(needsLocale ? ["locales"] : [])];
}
