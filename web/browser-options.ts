import { MARKETPLACES } from "@tapthru/proto/rules/marketplaces";

/** A running stack with the stand-in Amazon: `pnpm start --demo`, or what `pnpm test` starts. */
const { CHROMIUM_PATH } = process.env;
export const { E2E_BASE_URL = "http://localhost:8080", STAND_IN_TLS_PORT = "8443" } = process.env;

const amazonHosts = [
  ...Object.keys(MARKETPLACES).flatMap((key) => [`amazon.${key}`, `*.amazon.${key}`]),
  "*.media-amazon.com",
];
/** Request interception does not see what a redirect leads to; the browser's resolver does. */
const resolverRules = [
  ...amazonHosts.map((host) => `MAP ${host}:443 127.0.0.1:${STAND_IN_TLS_PORT}`),
  "MAP * ~NOTFOUND",
  "EXCLUDE localhost",
  "EXCLUDE 127.0.0.1",
];

/** For a Chromium that finds the stand-in where it looks for Amazon, and nothing else outside. */
export const LAUNCH_OPTIONS = {
  ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
  // In a locale that the system lacks, Chromium cannot write into folders with other letters than ASCII's.
  env: { ...process.env, LC_ALL: "C.UTF-8" },
  args: [
    "--no-sandbox",
    "--disable-background-networking",
    `--host-resolver-rules=${resolverRules.join(",")}`,
  ],
};

/** Of every context: the stand-in's certificate is its own. */
export const CONTEXT_OPTIONS = {
  baseURL: E2E_BASE_URL,
  ignoreHTTPSErrors: true,
  permissions: ["clipboard-read", "clipboard-write"],
};
