import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import axe from "axe-core";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { E2E_BASE_URL } from "../browser-options.ts";
import { AXE_OPTIONS } from "../e2e/axe-options.ts";
import { newAccount } from "../e2e/new-account.ts";
import { PRODUCT } from "../e2e/product.ts";
import { type StrategyId, USER_AGENTS } from "../e2e/user-agents.ts";
import { type Browser, type BrowserOptions, FIRST_VISIBLE } from "./browser.ts";
import { firefoxPath, openFirefox } from "./firefox.ts";
import { startNetwork } from "./network.ts";
import { openWebKit, webKitPrograms } from "./webkit.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const DESKTOP = { width: 1280, height: 900 };
/** No phone is narrower. */
const PHONE = { width: 360, height: 780 };
const SCREENSHOTS = join(import.meta.dirname, "../test-results/real-browsers");

/** XPaths of elements by their accessible name. */
const withName = (name: string) => `[@aria-label="${name}" or normalize-space()="${name}"]`;
const button = (name: string) => `//button${withName(name)}`;
const link = (name: string) => `//a${withName(name)}`;
const heading = (text: string) => `//*[self::h1 or self::h2][normalize-space()="${text}"]`;
const field = (label: string) =>
  `//*[self::input or self::textarea][@aria-label="${label}" or @id=//label[normalize-space()="${label}"]/@for]`;
const LINK_FIELD = field("Amazon product or store link");
const SHORT_LINK = '//section[@aria-label="Your short link"]//a[contains(@href, "/l/")]';
const DASHBOARD = heading("Your Links");

const APP = iosAppLink(PRODUCT);
const urlOf = (address: string) => new URL(address, E2E_BASE_URL).href;

describe("WebKit", () => {
  defineJourneys(
    "WebKit",
    webKitPrograms && openWebKit.bind(null, webKitPrograms),
    "WebKitGTK is missing: install webkit2gtk-driver and xvfb (Debian, Ubuntu)",
  );
});

describe("Firefox", () => {
  defineJourneys(
    "Firefox",
    firefoxPath === null ? null : openFirefox.bind(null, firefoxPath),
    "Firefox is missing: install firefox-esr (Debian) or firefox",
  );
});

/** @param open null if the browser is not installed */
function defineJourneys(engine: string, open: ((options: BrowserOptions) => Promise<Browser>) | null, missing: string) {
  beforeEach(({ skip }) => skip(open === null, missing));

  test.for([
    { device: "a desktop", phone: null },
    { device: "an iPhone", phone: "browser-ios" },
  ] as const)("a link pasted, copied and opened on $device keeps every parameter", async ({ phone }) => {
    const { browser, ...page } = await openPage(phone);
    await browser.goto(urlOf("/login"));
    await page.fill(field("Email"), PRODUCT);
    await browser.shortcut("ax");
    await page.expectValue(field("Email"), "");

    await browser.goto(urlOf("/"));
    await page.find(LINK_FIELD);
    await page.expectNoViolations();
    await page.paste(LINK_FIELD);
    await page.expectText("Link generated!\nYour deep link is ready to be shared");
    await page.find(SHORT_LINK);
    const shortUrl = await browser.run<string>(
      `return document.querySelector('[aria-label="Your short link"] a').href`,
    );
    expect(shortUrl).toMatch(/^http:\/\/localhost:\d+\/l\/[2-9a-z]{7}$/);
    await page.expectFocus(LINK_FIELD);
    await page.expectNoViolations();

    await page.click(button("Copy link"));
    await page.expectText("Copied");
    await page.paste(LINK_FIELD);
    await page.expectValue(LINK_FIELD, shortUrl);

    // A toast covers what is at the end of a phone's window.
    await vi.waitUntil(() => browser.run<boolean>("return !document.querySelector('.toasts li')"), WAIT);
    await page.click(SHORT_LINK);
    await vi.waitFor(() => browser.switchToNewTab(), WAIT);
    if (phone !== null) return page.expectOpenedApps([APP]);
    await page.expectUrl(PRODUCT);
    await page.expectText("Stand-in product B0CX23V2ZK");
  });

  test("copies the link that a tap creates from a shared text", async () => {
    const { browser, ...page } = await openPage();
    await browser.goto(urlOf(`/share?${new URLSearchParams({ text: `A lamp ${PRODUCT}` })}`));
    await page.click(button("Create link"));
    await page.expectText("Copied!\nLink copied to clipboard");
    await page.find(SHORT_LINK);
    const shortUrl = await browser.run<string>(
      `return document.querySelector('[aria-label="Your short link"] a').href`,
    );
    await page.paste(LINK_FIELD);
    await page.expectValue(LINK_FIELD, shortUrl);
  });

  test("a link pasted offline stays in the field, shows an error, and Enter creates it once online", async () => {
    const { browser, network, ...page } = await openPage();
    await browser.goto(urlOf("/"));
    await page.find(LINK_FIELD);
    // Neither browser imports a module again that failed to load.
    const ARE_LOADED = `return ["calls", "created-link-box"].every((name) =>
      performance.getEntriesByType("resource").some((e) => e.name.includes(name)))`;
    await expect.poll(() => browser.run(ARE_LOADED), WAIT).toBe(true);
    network.isOffline = true;
    await page.fill(LINK_FIELD, PRODUCT);
    await browser.press("Enter");
    await page.expectText("Failed to generate link");
    await page.expectValue(LINK_FIELD, PRODUCT);
    await page.expectNoViolations();

    network.isOffline = false;
    await page.focus(LINK_FIELD);
    await browser.press("Enter");
    await page.find(SHORT_LINK);
  });

  test("a user signs up, stays logged in after a reload, logs out and logs in again on an iPhone", async () => {
    const { browser, ...page } = await openPage("browser-ios");
    const account = await page.signUp();
    await page.expectNoViolations();
    await browser.reload();
    await page.find(DASHBOARD);
    await page.click(button("Open menu"));
    await page.click(button("Log out"));
    await page.expectUrl(urlOf("/"));
    await page.expectText("You have been logged out successfully.");
    await page.click(button("Open menu"));
    await page.click(link("Login"));

    await page.logIn({ ...account, password: "another secret" });
    await page.expectText("Invalid email or password.");
    await page.expectFocus(field("Password"));
    await page.expectNoViolations();
    await page.logIn(account);
    await page.find(DASHBOARD);
  });

  async function openPage(phone: StrategyId | null = null) {
    if (open === null) throw new Error(missing);
    const network = await startNetwork();
    const browser = await open({
      userAgent: phone && USER_AGENTS[phone],
      size: phone === null ? DESKTOP : PHONE,
      proxyPort: network.port,
    });
    onTestFinished(async ({ task }) => {
      const hasFailed = task.result?.state === "fail";
      if (hasFailed) await takeScreenshot(browser, `${engine} ${task.name}`);
      const errors = await browser.errors();
      await browser.close();
      await network.close();
      if (!hasFailed) expect(errors.join("\n")).toBe("");
    });
    return { browser, network, ...createActions(browser) };
  }
}

/** Each action waits until it is possible. */
function createActions(browser: Browser) {
  const isVisible = (xpath: string) =>
    browser.run<boolean>(`return ((argument) => {${FIRST_VISIBLE}})(argument) !== null`, xpath);
  /** @param body of a function of the first visible `element` */
  const read = <Result>(xpath: string, body: string) =>
    browser.run<Result>(
      `const element = ((argument) => {${FIRST_VISIBLE}})(argument);
       return element && (() => {${body}})();`,
      xpath,
    );

  const find = (xpath: string) => expect.poll(() => isVisible(xpath), { message: xpath }).toBe(true);
  const click = (xpath: string) => vi.waitFor(() => browser.click(xpath), WAIT);

  async function focus(xpath: string) {
    await find(xpath);
    await read(xpath, "element.focus()");
  }

  /** Replaces the text of a field by typing. */
  async function fill(xpath: string, text: string) {
    await focus(xpath);
    await browser.shortcut("a");
    await browser.type(text);
  }

  async function logIn({ email, password }: { email: string; password: string }) {
    await fill(field("Email"), email);
    await fill(field("Password"), password);
    await click(button("Login"));
  }

  return {
    find,
    click,
    focus,
    fill,
    logIn,
    /** Replaces the text of a field with the clipboard's. */
    async paste(xpath: string) {
      await focus(xpath);
      await browser.shortcut("av");
    },
    async signUp() {
      const account = newAccount();
      await browser.goto(urlOf("/signup"));
      await fill(field("Username"), account.username);
      await fill(field("Email"), account.email);
      await fill(field("Password"), account.password);
      await fill(field("Confirm password"), account.password);
      await click(button("Sign up"));
      await find(DASHBOARD);
      return account;
    },
    expectUrl: (url: string) => expect.poll(() => browser.url()).toBe(url),
    expectText: (text: string) =>
      expect.poll(() => browser.run("return document.body?.innerText ?? ''")).toContain(text),
    expectValue: (xpath: string, value: string) => expect.poll(() => read(xpath, "return element.value")).toBe(value),
    expectFocus: (xpath: string) =>
      expect.poll(() => read(xpath, "return document.activeElement === element")).toBe(true),
    expectOpenedApps: (addresses: string[]) => expect.poll(() => browser.openedApps()).toEqual(addresses),

    /** The same rules as in Chromium, in both themes. Nothing may be wider than the window. */
    async expectNoViolations() {
      const overflows = "return document.documentElement.scrollWidth > innerWidth";
      expect(await browser.run(overflows), "wider than the window").toBe(false);
      for (const theme of ["dark", "light"]) {
        await browser.run("document.documentElement.dataset.theme = argument", theme);
        await browser.run(WAIT_FOR_ANIMATIONS);
        const violations = await browser.run(`${axe.source}\n${RUN_AXE}`, AXE_OPTIONS);
        expect(violations, `${theme} theme`).toEqual([]);
      }
    },
  };
}

/** While animations run, colors are not final. */
const WAIT_FOR_ANIMATIONS = `
const finite = document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
return Promise.allSettled(finite.map(({ finished }) => finished)).then(() => null);`;

const RUN_AXE = `
return axe.run(document, argument)
  .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) })));`;

async function takeScreenshot(browser: Browser, title: string) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `${SCREENSHOTS}/${title.replaceAll(/\W+/g, "-")}.png`;
  writeFileSync(file, await browser.screenshot(), "base64");
}
