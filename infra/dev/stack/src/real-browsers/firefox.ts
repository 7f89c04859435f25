import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "../processes/stack.ts";
import { findOnPath } from "../programs/on-path.ts";

/** Schemes with which pages open an app; a script records the address instead. */
const APP_SCHEMES = ["com.amazon.mobile.shopping.web", "instagram"];

/** From geckodriver's prefs.rs: switches off requests to Mozilla's servers and prompts. */
const PREFERENCES = {
  "marionette.port": 0,
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "signon.rememberSignons": false,
  ...Object.fromEntries(
    APP_SCHEMES.map((scheme) => [`network.protocol-handler.external.${scheme}`, true]),
  ),
};

const MAC_FIREFOX = "/Applications/Firefox.app/Contents/MacOS/firefox";

export function findFirefox(): string | null {
  const installed = findOnPath("firefox-esr") ?? findOnPath("firefox");
  return installed ?? (existsSync(MAC_FIREFOX) ? MAC_FIREFOX : null);
}

export interface RunningFirefox {
  marionettePort: number;
  /** Has one line for each address with which an app was opened. */
  openedFile: string;
}

/** Starts Firefox with a new profile and Marionette, as geckodriver does. */
export async function startFirefox(
  program: string,
  { name, folder }: { name: string; folder: string },
  stack: Stack,
): Promise<RunningFirefox> {
  const profile = join(folder, "profile");
  const openedFile = join(folder, "opened");
  await mkdir(profile, { recursive: true });
  await writeFile(openedFile, "");
  await writeFile(join(profile, "user.js"), userPreferences());
  await writeFile(join(profile, "handlers.json"), await appHandlers(folder, openedFile));

  const portFile = join(profile, "MarionetteActivePort");
  const readPort = () => (existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0);
  await stack.start(
    {
      name,
      command: program,
      // Tests change preferences, which only scripts in the browser's system context can.
      args: [
        "--marionette",
        "--headless",
        "--no-remote",
        "--remote-allow-system-access",
        "--profile",
        profile,
      ],
      env: { ...process.env, HOME: folder, LC_ALL: "C.UTF-8", MOZ_CRASHREPORTER_DISABLE: "1" },
      logFile: join(folder, "firefox.log"),
    },
    async () => readPort() > 0,
  );
  return { marionettePort: readPort(), openedFile };
}

function userPreferences(): string {
  return Object.entries(PREFERENCES)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
}

async function appHandlers(folder: string, openedFile: string): Promise<string> {
  const path = join(folder, "open-app");
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`);
  await chmod(path, 0o700);
  const handler = { action: 2, handlers: [{ name: "Amazon", path }] };
  const schemes = Object.fromEntries(APP_SCHEMES.map((scheme) => [scheme, handler]));
  return JSON.stringify({ defaultHandlersVersion: {}, mimeTypes: {}, schemes });
}
