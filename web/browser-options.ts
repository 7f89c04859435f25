import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";

/** The stack under test, with the Amazon stand-in: `pnpm start --demo`, or the one that `pnpm test` starts. */
const { CHROMIUM_PATH } = process.env;
export const { E2E_BASE_URL = "http://localhost:8080", STAND_IN_TLS_PORT = "8443" } = process.env;

const amazonHosts = [
  ...Object.keys(MARKETPLACES).flatMap((key) => [`amazon.${key}`, `*.amazon.${key}`]),
  "*.media-amazon.com",
];
/** Request interception does not see the targets of redirects, but resolver rules apply to them. */
const resolverRules = [
  ...amazonHosts.map((host) => `MAP ${host}:443 127.0.0.1:${STAND_IN_TLS_PORT}`),
  "MAP * ~NOTFOUND",
  "EXCLUDE localhost",
  "EXCLUDE 127.0.0.1",
];

/** Launches Chromium with Amazon's hosts mapped to the stand-in and all other external hosts blocked. */
export const LAUNCH_OPTIONS = {
  ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
  // If the system lacks the locale, Chromium cannot write to directories with non-ASCII names.
  env: { ...process.env, LC_ALL: "C.UTF-8" },
  args: ["--no-sandbox", "--disable-background-networking", `--host-resolver-rules=${resolverRules.join(",")}`],
};

/** Options of every browser context. The stand-in's certificate is self-signed. */
export const CONTEXT_OPTIONS = {
  baseURL: E2E_BASE_URL,
  ignoreHTTPSErrors: true,
  permissions: ["clipboard-read", "clipboard-write"],
};
