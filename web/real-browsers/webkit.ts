import { readFileSync } from "node:fs";
import { Builder, Capabilities } from "selenium-webdriver";
import type { Browser, BrowserOptions } from "./browser.ts";
import type { WebKit } from "./workers.ts";

const SCRIPT_TIMEOUT_MS = 5_000;

/** Starts a MiniBrowser, which forgets everything when it closes. */
export async function openWebKit(
  { driverUrl, miniBrowser, pidFile }: WebKit,
  { userAgent, proxyPort }: BrowserOptions,
): Promise<Browser> {
  const args = [
    "--automation",
    // WebDriver's own capability makes WebKitGTK speak TLS to the proxy of https.
    `--proxy=http://127.0.0.1:${proxyPort}`,
    ...(userAgent === null ? [] : [`--user-agent=${userAgent}`]),
  ];
  const driver = await new Builder()
    .usingServer(driverUrl)
    .withCapabilities(
      new Capabilities({
        browserName: "MiniBrowser",
        acceptInsecureCerts: true,
        // A script that runs while the page changes gets no reply.
        timeouts: { script: SCRIPT_TIMEOUT_MS },
        "webkitgtk:browserOptions": { binary: miniBrowser, args },
      }),
    )
    .build();
  let left: string[] = [];
  /** A page that opened an app has given way to an error page with the app's address. */
  const openedApps = async () => {
    const url = await driver.getCurrentUrl();
    return /^(https?|about):/.test(url) ? left : [...left, url];
  };
  return {
    driver,
    goto: async (url) => {
      await driver.get(url);
      await driver.executeScript(WATCH);
    },
    openedApps,
    returnFromApp: async () => {
      left = await openedApps();
      await driver.navigate().back();
    },
    consoleErrors: () => driver.executeScript("return globalThis.consoleErrors ?? []"),
    close: async () => {
      // WebKitWebDriver waits for replies that do not come: the end of MiniBrowser ends its session.
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
      await driver.quit().catch(() => {});
    },
  };
}

/** WebKitWebDriver does not report the console: the page collects its errors once it has loaded. */
const WATCH = `
const errors = globalThis.consoleErrors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  errors.push(violatedDirective + ": " + blockedURI));`;
