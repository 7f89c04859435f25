import { availableParallelism } from "node:os";
import { onPath } from "../programs/on-path.ts";
import type { Machine } from "./machines.ts";

const SOCKET = "/var/run/docker.sock";
const MANY_FONTS = ["fonts-noto-core", "fonts-noto-cjk", "fonts-liberation", "fonts-freefont-ttf"];

/** How this machine reaches the package registries; the containers reach them likewise. */
const REGISTRY_SETTINGS = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  "NPM_CONFIG_REGISTRY",
];
const CERTIFICATES = "/usr/local/share/host-certificates.pem";

/** What `docker run` is given. */
export function runOptions(row: Machine): string[] {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  return [
    "--init",
    ...(row.cores <= availableParallelism() ? [`--cpuset-cpus=0-${row.cores - 1}`] : []),
    ...(certificates === undefined ? [] : [readOnly(certificates, CERTIFICATES)]),
    ...(row.hasDocker ? dockerOptions() : []),
  ];
}

function readOnly(path: string, inside: string): string {
  return `--volume=${path}:${inside}:ro`;
}

/** The engine of this machine; its containers' ports are found at the machine's own address. */
function dockerOptions(): string[] {
  const program = onPath("docker") ?? "";
  return [
    `--volume=${SOCKET}:${SOCKET}`,
    readOnly(program, "/usr/local/bin/docker"),
    "--add-host=host.docker.internal:host-gateway",
  ];
}

/** The environment of both commands. */
export function environmentOf(row: Machine): Record<string, string> {
  const { env } = process;
  const given = REGISTRY_SETTINGS.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return {
    CI: "true",
    LANG: row.locale,
    TZ: row.timeZone,
    ...Object.fromEntries(given),
    ...(env.NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
    ...(row.cores > availableParallelism() && { NODE_OPTIONS: pretendCores(row.cores) }),
    ...(row.hasDocker && {
      TESTCONTAINERS_HOST_OVERRIDE: "host.docker.internal",
      TESTCONTAINERS_RYUK_DISABLED: "true",
    }),
  };
}

/** Every Node process believes that there are so many cores, and starts as many workers. */
function pretendCores(cores: number): string {
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

/** Packages that only make the machine of the row; both commands need none. */
export function packagesOf(row: Machine): string[] {
  const needsLocale = row.isLocaleInstalled && row.locale !== "C.UTF-8";
  return [...(row.fonts === "large" ? MANY_FONTS : []), ...(needsLocale ? ["locales"] : [])];
}
