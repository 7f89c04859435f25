import { defineConfig, devices } from "@playwright/test";
import { MARKETPLACES } from "@tapthru/proto/rules/marketplaces";

/** A running stack with the stand-in Amazon: `pnpm start --demo`, or what `pnpm test` starts. */
const {
  E2E_BASE_URL = "http://localhost:8080",
  STAND_IN_TLS_PORT = "8443",
  CHROMIUM_PATH,
} = process.env;

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

const JOURNEYS = "journey.spec.ts";
const REDIS_GONE = "redis-gone.spec.ts";

export default defineConfig({
  testDir: "e2e",
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  use: {
    baseURL: E2E_BASE_URL,
    ignoreHTTPSErrors: true,
    permissions: ["clipboard-read", "clipboard-write"],
    trace: "retain-on-failure",
    launchOptions: {
      ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        `--host-resolver-rules=${resolverRules.join(",")}`,
      ],
    },
  },
  projects: [
    { name: "desktop", use: devices["Desktop Chrome"], testIgnore: REDIS_GONE },
    {
      name: "iphone",
      use: { ...devices["iPhone 15"], browserName: "chromium" },
      testMatch: JOURNEYS,
    },
    { name: "android", use: devices["Pixel 7"], testMatch: JOURNEYS },
    {
      name: "redis gone",
      use: devices["Desktop Chrome"],
      testMatch: REDIS_GONE,
      dependencies: ["desktop", "iphone", "android"],
    },
  ],
});
