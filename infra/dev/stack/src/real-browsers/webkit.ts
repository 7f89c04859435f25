import { globSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import type { Stack } from "../processes/stack.ts";
import { findOnPath } from "../programs/on-path.ts";
import { respondsOverHttp } from "../stack/http-health.ts";

/** Debian and Ubuntu, then Fedora. */
const MINI_BROWSERS = [
  "/usr/lib/*/webkit*gtk-*/MiniBrowser",
  "/usr/libexec/webkit*gtk-*/MiniBrowser",
];

export function findWebKit() {
  const driver = findOnPath("WebKitWebDriver");
  const xvfb = findOnPath("Xvfb");
  const [miniBrowser] = globSync(MINI_BROWSERS);
  return driver && xvfb && miniBrowser ? { driver, xvfb, miniBrowser } : null;
}

export interface RunningWebKit {
  driverUrl: string;
  /** Starts MiniBrowser. */
  miniBrowser: string;
  /** Has the pid of the last started MiniBrowser. */
  pidFile: string;
}

/** Without it the buttons of MiniBrowser's toolbar make each window at least 447 pixels wide. */
const GTK_CSS = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }";

/** Starts WebKitWebDriver on a new display: two drivers on one display share its clipboard. */
export async function startWebKit(
  { driver, miniBrowser, xvfb }: NonNullable<ReturnType<typeof findWebKit>>,
  { name, folder }: { name: string; folder: string },
  stack: Stack,
): Promise<RunningWebKit> {
  const config = join(folder, "config");
  await mkdir(join(config, "gtk-3.0"), { recursive: true });
  await writeFile(join(config, "gtk-3.0", "gtk.css"), GTK_CSS);
  const display = await startDisplay(
    xvfb,
    { name: `display of ${name}`, logFile: join(folder, "xvfb.log") },
    stack,
  );
  const driverUrl = `http://127.0.0.1:${await freePort()}`;
  await stack.start(
    {
      name,
      command: driver,
      args: [`--port=${new URL(driverUrl).port}`],
      env: {
        ...process.env,
        DISPLAY: display,
        HOME: folder,
        XDG_CONFIG_HOME: config,
        // The language of requests, even on a system without the locale.
        LC_ALL: "en_US.UTF-8",
        // The sandbox needs user namespaces, which root in a container does not have.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      },
      logFile: join(folder, "webkit.log"),
    },
    () => respondsOverHttp(`${driverUrl}/status`),
  );
  const pidFile = join(folder, "mini-browser.pid");
  const wrapper = join(folder, "mini-browser");
  await writeFile(wrapper, `#!/bin/sh\necho $$ > '${pidFile}'\nexec '${miniBrowser}' "$@"\n`, {
    mode: 0o700,
  });
  return { driverUrl, miniBrowser: wrapper, pidFile };
}

async function startDisplay(
  xvfb: string,
  { name, logFile }: { name: string; logFile: string },
  stack: Stack,
): Promise<string> {
  // Xvfb prints the number of the display.
  const number = () => /^\d+$/m.exec(readFileSync(logFile, "utf8"))?.[0];
  await stack.start(
    {
      name,
      command: xvfb,
      args: ["-displayfd", "1", "-screen", "0", "1366x1024x24", "-nolisten", "tcp"],
      logFile,
    },
    async () => number() !== undefined,
  );
  return `:${number()}`;
}
