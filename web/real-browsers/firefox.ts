import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type ElementHandle, launch } from "puppeteer-core";
import { type Browser, type BrowserOptions, FIRST_VISIBLE, NotVisibleError } from "./browser.ts";

/** A script records the address of an app instead of opening the app. */
const APP_SCHEME = "com.amazon.mobile.shopping.web";
const CONTROL = process.platform === "darwin" ? "Meta" : "Control";

const PROGRAMS = [
  ...["firefox-esr", "firefox"].flatMap((name) =>
    (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
  ),
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** Returns null if Firefox is not installed. */
export const firefoxPath = PROGRAMS.find((path) => existsSync(path)) ?? null;

export async function openFirefox(
  executablePath: string,
  { userAgent, size, proxyPort }: BrowserOptions,
): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "tapthru-firefox-"));
  const openedFile = join(profile, "opened");
  await writeFile(openedFile, "");
  await writeFile(join(profile, "handlers.json"), await appHandlers(profile, openedFile));
  const firefox = await launch({
    browser: "firefox",
    executablePath,
    userDataDir: profile,
    acceptInsecureCerts: true,
    defaultViewport: null,
    env: { ...process.env, HOME: profile, LC_ALL: "C.UTF-8", MOZ_CRASHREPORTER_DISABLE: "1" },
    extraPrefsFirefox: {
      "network.proxy.type": 1,
      "network.proxy.http": "127.0.0.1",
      "network.proxy.http_port": proxyPort,
      "network.proxy.ssl": "127.0.0.1",
      "network.proxy.ssl_port": proxyPort,
      "network.proxy.allow_hijacking_localhost": true,
      ...(userAgent !== null && { "general.useragent.override": userAgent }),
      [`network.protocol-handler.external.${APP_SCHEME}`]: true,
    },
  });
  const errors: string[] = [];
  let page = (await firefox.pages())[0] ?? (await firefox.newPage());
  await prepare();

  return {
    async goto(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    url: async () => page.url(),
    run: <Result>(body: string, argument?: unknown) => page.evaluate(callOf(body, argument)) as Promise<Result>,
    async click(xpath) {
      const found = await page.evaluateHandle(callOf(FIRST_VISIBLE, xpath));
      const element = found.asElement() as ElementHandle<Element> | null;
      if (element === null) throw new NotVisibleError(xpath);
      await element.click();
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    async shortcut(keys) {
      await page.keyboard.down(CONTROL);
      for (const key of keys) await page.keyboard.press(key as "a");
      await page.keyboard.up(CONTROL);
    },
    async switchToNewTab() {
      const added = (await firefox.pages()).at(-1);
      if (added === undefined || added === page) throw new Error("The page opened no new tab.");
      page = added;
      await prepare();
    },
    openedApps: async () => readFileSync(openedFile, "utf8").split("\n").filter(Boolean),
    errors: async () => errors,
    screenshot: () => page.screenshot({ encoding: "base64" }),
    async close() {
      await firefox.close();
      await rm(profile, { recursive: true, force: true });
    },
  };

  async function prepare() {
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.setViewport(size);
  }
}

const callOf = (body: string, argument: unknown) => `((argument) => {${body}\n})(${JSON.stringify(argument) ?? ""})`;

async function appHandlers(folder: string, openedFile: string): Promise<string> {
  const path = join(folder, "open-app");
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`, { mode: 0o700 });
  const handler = { action: 2, handlers: [{ name: "An app", path }] };
  return JSON.stringify({ defaultHandlersVersion: {}, mimeTypes: {}, schemes: { [APP_SCHEME]: handler } });
}
