import { readFileSync } from "node:fs";
import { Builder, Capabilities } from "selenium-webdriver";
import type { Browser, BrowserOptions } from "./browser.ts";
import type { WebKit } from "./workers.ts";

const SCRIPT_TIMEOUT_MS = 5_000;

/** Starts a MiniBrowser. It keeps no data after it closes. */
export async function openWebKit(
  { driverUrl, miniBrowser, pidFile }: WebKit,
  { userAgent, proxyPort }: BrowserOptions,
): Promise<Browser> {
  const args = [
    "--automation",
    // WebDriver's proxy capability cannot be used: with it, WebKitGTK connects to the proxy over TLS for https.
    `--proxy=http://127.0.0.1:${proxyPort}`,
    ...(userAgent === null ? [] : [`--user-agent=${userAgent}`]),
  ];
  const driver = await new Builder()
    .usingServer(driverUrl)
    .withCapabilities(
      new Capabilities({
        browserName: "MiniBrowser",
        acceptInsecureCerts: true,
        // WebKitWebDriver never responds to a script that runs during a navigation.
        timeouts: { script: SCRIPT_TIMEOUT_MS },
        "webkitgtk:browserOptions": { binary: miniBrowser, args },
      }),
    )
    .build();
  let earlierApps: string[] = [];
  /** When a page opens an app, WebKitGTK shows an error page with the app's address. */
  const openedApps = async () => {
    const url = await driver.getCurrentUrl();
    return /^(https?|about):/.test(url) ? earlierApps : [...earlierApps, url];
  };
  return {
    driver,
    collectErrors: () => driver.executeScript(COLLECT_ERRORS),
    openedApps,
    returnFromApp: async () => {
      earlierApps = await openedApps();
      await driver.navigate().back();
    },
    consoleErrors: () => driver.executeScript("return globalThis.consoleErrors ?? []"),
    close: async () => {
      // WebKitWebDriver may wait forever for a response. Killing MiniBrowser ends the session.
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
      await driver.quit().catch(() => {});
    },
  };
}

/**
 * WebKitWebDriver does not report console errors, so a script in the loaded page collects them. It does not see errors
 * during the load, and they are lost when the page is left.
 */
const COLLECT_ERRORS = `
if (globalThis.consoleErrors) return;
const errors = globalThis.consoleErrors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  errors.push(violatedDirective + ": " + blockedURI));`;
