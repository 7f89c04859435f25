import { execa } from "execa";
import { findChromium } from "/work/wt/home/infra/dev/local/src/programs/chromium.ts";
import { withTestStack } from "/work/wt/home/infra/dev/local/src/stack/test-stack.ts";
import { watchInterruption } from "/work/wt/home/infra/dev/local/src/stack/interruption.ts";
const chromium = await findChromium();
await withTestStack(watchInterruption(), async ({ baseUrl, settings: { ports } }) => {
  await execa("node_modules/.bin/playwright", ["test", "--reporter=line", ...process.argv.slice(2)], { cwd: "/work/wt/home/web", reject: false, stdio: "inherit", env: { E2E_BASE_URL: baseUrl, STAND_IN_TLS_PORT: String(ports.STAND_IN_TLS_PORT), REDIS_PORT: String(ports.REDIS_PORT), FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.EMULATOR_PORT}`, ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }) } as any });
});
