import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Builder, Capabilities, Key, type WebElement } from "selenium-webdriver";
import { vi } from "vitest";
import { type Browser, type BrowserOptions, FIRST_VISIBLE, NotVisibleError } from "./browser.ts";

const SCRIPT_TIMEOUT_MS = 5_000;
const START = { timeout: 60_000, interval: 50 };

/** Without it the buttons of MiniBrowser's toolbar make each window at least 447 pixels wide. */
const GTK_CSS = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }";

interface WebKitPrograms {
  driver: string;
  xvfb: string;
  miniBrowser: string;
}

/** Returns null if a program is not installed. */
export const webKitPrograms = findPrograms();

function findPrograms(): WebKitPrograms | null {
  const onPath = (name: string) =>
    (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
  const driver = onPath("WebKitWebDriver");
  const xvfb = onPath("Xvfb");
  // Debian and Ubuntu, then Fedora.
  const [miniBrowser] = globSync(["/usr/lib/*/webkit*gtk-*/MiniBrowser", "/usr/libexec/webkit*gtk-*/MiniBrowser"]);
  return driver && xvfb && miniBrowser ? { driver, xvfb, miniBrowser } : null;
}

export async function openWebKit(
  { driver: driverPath, xvfb, miniBrowser }: WebKitPrograms,
  { userAgent, size, proxyPort }: BrowserOptions,
): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-webkit-"));
  await mkdir(join(folder, "gtk-3.0"));
  await writeFile(join(folder, "gtk-3.0", "gtk.css"), GTK_CSS);
  // Two browsers on one display share its clipboard.
  const { display, process: screen } = await startDisplay(xvfb);
  const port = await freePort();
  const server = spawn(driverPath, [`--port=${port}`], {
    // A process group, which ends together with MiniBrowser.
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      // The language of requests, even on a system without the locale.
      LC_ALL: "en_US.UTF-8",
      // The sandbox needs user namespaces, which root in a container does not have.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
  });
  const serverUrl = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${serverUrl}/status`), START);
  const args = [
    "--automation",
    // WebDriver's proxy capability cannot be used: with it, WebKitGTK connects to the proxy over TLS for https.
    `--proxy=http://127.0.0.1:${proxyPort}`,
    ...(userAgent === null ? [] : [`--user-agent=${userAgent}`]),
  ];
  const driver = await new Builder()
    .usingServer(serverUrl)
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
  await driver.manage().window().setRect(size);
  // axe takes longer than five seconds on a busy machine.
  await driver.manage().setTimeouts({ script: 60_000 });
  const firstTab = await driver.getWindowHandle();

  const run = <Result>(body: string, argument?: unknown) =>
    driver.executeScript<Result>(`const argument = arguments[0];\n${body}`, argument);
  const collectErrors = () => run(COLLECT_ERRORS);
  return {
    async goto(url) {
      await driver.get(url);
      await collectErrors();
    },
    async reload() {
      await driver.navigate().refresh();
      await collectErrors();
    },
    url: () => driver.getCurrentUrl(),
    run,
    async click(xpath) {
      const element = await run<WebElement | null>(FIRST_VISIBLE, xpath);
      if (element === null) throw new NotVisibleError(xpath);
      await element.click();
    },
    type: (text) => driver.actions().sendKeys(text).perform(),
    press: (key) => driver.actions().sendKeys({ Enter: Key.ENTER, Escape: Key.ESCAPE }[key]).perform(),
    shortcut: (keys) => driver.actions().keyDown(Key.CONTROL).sendKeys(keys).keyUp(Key.CONTROL).perform(),
    async switchToNewTab() {
      const added = (await driver.getAllWindowHandles()).find((handle) => handle !== firstTab);
      if (added === undefined) throw new Error("The page opened no new tab.");
      await driver.switchTo().window(added);
      await collectErrors();
    },
    /** When a page opens an app, WebKitGTK shows an error page with the app's address. */
    async openedApps() {
      const url = await driver.getCurrentUrl();
      return /^(https?|about):/.test(url) ? [] : [url];
    },
    errors: () => run("return globalThis.collectedErrors ?? []"),
    screenshot: () => driver.takeScreenshot(),
    async close() {
      // WebKitWebDriver may wait forever for a response of MiniBrowser.
      for (const { pid } of [server, screen]) if (pid) process.kill(-pid, "SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Xvfb chooses a free display and prints its number. */
async function startDisplay(xvfb: string): Promise<{ display: string; process: ChildProcess }> {
  const args = ["-displayfd", "1", "-screen", "0", "1366x1024x24", "-nolisten", "tcp"];
  const screen = spawn(xvfb, args, { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const [number] = await once(screen.stdout, "data");
  return { display: `:${String(number).trim()}`, process: screen };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/**
 * WebKitWebDriver does not report errors, so a script in the loaded page collects them. It does not see errors
 * during the load, and they are lost when the page is left.
 */
const COLLECT_ERRORS = `
if (globalThis.collectedErrors) return;
const errors = globalThis.collectedErrors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  errors.push(violatedDirective + ": " + blockedURI));`;
