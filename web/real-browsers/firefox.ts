import { readFileSync, writeFileSync } from "node:fs";
import { Session, WebDriver } from "selenium-webdriver";
import type { Command } from "selenium-webdriver/lib/command.js";
import type { Browser, BrowserOptions } from "./browser.ts";
import { connectMarionette, type Marionette } from "./marionette.ts";
import type { Firefox } from "./workers.ts";

/** Maps Selenium's commands to Marionette's, like geckodriver, which Debian does not package. */
const COMMANDS: Record<string, string> = {
  get: "WebDriver:Navigate",
  getCurrentUrl: "WebDriver:GetCurrentURL",
  goBack: "WebDriver:Back",
  refresh: "WebDriver:Refresh",
  executeScript: "WebDriver:ExecuteScript",
  findElement: "WebDriver:FindElement",
  findElements: "WebDriver:FindElements",
  clickElement: "WebDriver:ElementClick",
  sendKeysToElement: "WebDriver:ElementSendKeys",
  actions: "WebDriver:PerformActions",
  screenshot: "WebDriver:TakeScreenshot",
  setWindowRect: "WebDriver:SetWindowRect",
  getWindowHandles: "WebDriver:GetWindowHandles",
  switchToWindow: "WebDriver:SwitchToWindow",
  quit: "WebDriver:DeleteSession",
};

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Opens a session in the running Firefox. Deletes the data of earlier sessions. */
export async function openFirefox(
  { marionettePort, openedFile }: Firefox,
  { userAgent, proxyPort }: BrowserOptions,
): Promise<Browser> {
  const marionette = await connectMarionette(marionettePort);
  const { sessionId } = (await marionette.send("WebDriver:NewSession", {
    acceptInsecureCerts: true,
  })) as { sessionId: string };
  await runPrivileged(marionette, PREPARE, [proxyPort, userAgent]);
  writeFileSync(openedFile, "");
  const driver = new WebDriver(new Session(sessionId, {}), executorOf(marionette));
  return {
    driver,
    // Firefox collects the errors of all pages.
    collectErrors: async () => {},
    openedApps: async () => readFileSync(openedFile, "utf8").split("\n").filter(Boolean),
    // Firefox keeps the page open, so there is nothing to do.
    returnFromApp: async () => {},
    consoleErrors: async () => (await runPrivileged(marionette, CONSOLE_ERRORS)) as string[],
    close: async () => {
      await driver.get("about:blank");
      await driver.quit();
      marionette.close();
    },
  };
}

function executorOf(marionette: Marionette) {
  return {
    async execute(command: Command) {
      const name = COMMANDS[command.getName()];
      if (name === undefined) throw new Error(`No Marionette command for ${command.getName()}`);
      const {
        sessionId: _,
        id,
        ...parameters
      } = command.getParameters() as Record<string, unknown>;
      const element = id === undefined ? {} : { id: (id as Record<string, string>)[ELEMENT] };
      const result = await marionette.send(name, { ...parameters, ...element });
      return result !== null && typeof result === "object" && "value" in result
        ? result.value
        : result;
    },
  };
}

/** Runs a script with the browser's privileges. */
async function runPrivileged(marionette: Marionette, script: string, args: unknown[] = []) {
  await marionette.send("Marionette:SetContext", { value: "chrome" });
  const result = await marionette.send("WebDriver:ExecuteScript", { script, args });
  await marionette.send("Marionette:SetContext", { value: "content" });
  return (result as { value: unknown }).value;
}

const PREPARE = `
const [proxyPort, userAgent] = arguments;
const { prefs } = Services;
prefs.setIntPref("network.proxy.type", 1);
for (const kind of ["http", "ssl"]) {
  prefs.setStringPref("network.proxy." + kind, "127.0.0.1");
  prefs.setIntPref("network.proxy." + kind + "_port", proxyPort);
}
prefs.setBoolPref("network.proxy.allow_hijacking_localhost", true);
if (userAgent === null) prefs.clearUserPref("general.useragent.override");
else prefs.setStringPref("general.useragent.override", userAgent);
const { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
// The minimum width of the window is 500 pixels by default.
gBrowser.ownerDocument.documentElement.style.minWidth = "0";
gBrowser.removeAllTabsBut(gBrowser.selectedTab);
Services.console.reset();
return new Promise((resolve) => {
  Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, { onDataDeleted: resolve });
});`;

const CONSOLE_ERRORS = `
return Services.console.getMessageArray()
  .filter((message) => message instanceof Ci.nsIScriptError)
  .filter(({ flags, category }) => !(flags & 1) && /^(content |CSP|Content Security)/.test(category))
  .map(({ category, errorMessage, sourceName }) => category + ": " + errorMessage + " (" + sourceName + ")");`;
