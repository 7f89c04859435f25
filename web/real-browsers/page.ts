import { Key, type WebElement } from "selenium-webdriver";
import { expect, vi } from "vitest";
import { E2E_BASE_URL } from "../browser-options.ts";
import type { Browser } from "./browser.ts";
import { button } from "./elements.ts";
import type { Network } from "./network.ts";

const CONTROL = process.platform === "darwin" ? Key.COMMAND : Key.CONTROL;
const WAIT = { timeout: 20_000, interval: 50 };

/** The first visible element of an XPath. */
const FIND = `
const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
for (let index = 0; index < found.snapshotLength; index += 1) {
  const element = found.snapshotItem(index);
  if (element.checkVisibility({ visibilityProperty: true })) return element;
}
return null;`;

const WAIT_FOR_ANIMATIONS = `
const finite = document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
return Promise.allSettled(finite.map(({ finished }) => finished)).then(() => null);`;

/** Page object for any page. Elements are XPaths; each action waits until it is possible. */
export class Page {
  readonly browser: Browser;
  readonly network: Network;
  readonly isNarrow: boolean;

  constructor(browser: Browser, network: Network, isNarrow: boolean) {
    this.browser = browser;
    this.network = network;
    this.isNarrow = isNarrow;
  }

  urlOf = (address: string) => new URL(address, E2E_BASE_URL).href;

  async open(address: string) {
    await this.browser.driver.get(this.urlOf(address));
    await this.browser.collectErrors();
  }

  async reload() {
    await this.browser.driver.navigate().refresh();
    await this.browser.collectErrors();
  }

  /** @param address that the browser goes back to */
  async back(address: string) {
    await this.browser.driver.navigate().back();
    await this.expectUrl(address);
    await this.browser.collectErrors();
  }

  url = () => this.browser.driver.getCurrentUrl();
  text = () => this.run<string>("return document.body?.innerText ?? ''");

  run<Result>(script: string, ...args: unknown[]): Promise<Result> {
    return this.browser.driver.executeScript<Result>(script, ...args);
  }

  /** While animations run, colors are not final and clicks may miss. */
  async waitForAnimations() {
    await this.run(WAIT_FOR_ANIMATIONS);
  }

  /** @param address relative to the site, or absolute */
  async expectUrl(address: string) {
    await expect.poll(this.url).toBe(this.urlOf(address));
  }

  async expectText(text: string) {
    await expect.poll(this.text).toContain(text);
  }

  async expectOpenedApps(addresses: string[]) {
    await expect.poll(this.browser.openedApps).toEqual(addresses);
  }

  async expectMissing(xpath: string) {
    await expect.poll(() => this.run(FIND, xpath)).toBe(null);
  }

  async expectFocus(xpath: string) {
    await this.expectOf(xpath, "return document.activeElement === arguments[0]", true);
  }

  async expectValue(xpath: string, value: string) {
    await this.expectOf(xpath, "return arguments[0].value", value);
  }

  /** Images below the visible part load once they are scrolled into view. */
  async expectLoadedImage(xpath: string) {
    const script = "arguments[0].scrollIntoView(); return arguments[0].naturalWidth > 0";
    await this.expectOf(xpath, script, true);
  }

  async addressOf(link: string): Promise<string> {
    return this.run("return arguments[0].href", await this.find(link));
  }

  find(xpath: string): Promise<WebElement> {
    return vi.waitFor(() => this.findNow(xpath), WAIT);
  }

  click(xpath: string): Promise<void> {
    return vi.waitFor(async () => (await this.findNow(xpath)).click(), WAIT);
  }

  /** Clicks an element of the top bar; on a phone, in its menu. */
  async clickInTopBar(xpath: string) {
    if (this.isNarrow) {
      await this.click(button("Open menu"));
      await this.waitForAnimations();
    }
    await this.click(xpath);
  }

  /** Clicks a link that opens a new tab, and switches to the tab. */
  async clickIntoNewTab(xpath: string) {
    const { driver } = this.browser;
    const before = await driver.getAllWindowHandles();
    await this.click(xpath);
    const tab = await vi.waitFor(async () => {
      const added = (await driver.getAllWindowHandles()).find((handle) => !before.includes(handle));
      if (added === undefined) throw new Error(`No new tab: ${xpath}`);
      return added;
    }, WAIT);
    await driver.switchTo().window(tab);
    await this.browser.collectErrors();
  }

  press(xpath: string, ...keys: string[]): Promise<void> {
    return vi.waitFor(async () => (await this.findNow(xpath)).sendKeys(...keys), WAIT);
  }

  /** Presses keys in the focused element. */
  async pressKeys(...keys: string[]) {
    await this.browser.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** Replaces the text of a field by typing. */
  async fill(xpath: string, text: string) {
    await this.shortcut(xpath, "a");
    await this.press(xpath, text);
  }

  /** Types a text into a field and cuts it to the clipboard. */
  async cut(xpath: string, text: string) {
    await this.fill(xpath, text);
    await this.shortcut(xpath, "a", "x");
    await this.expectValue(xpath, "");
  }

  /** Replaces the text of a field with the clipboard's. */
  paste = (xpath: string) => this.shortcut(xpath, "a", "v");

  /** Focuses an element. @param keys pressed one after the other while Control (Command) is down */
  private async shortcut(xpath: string, ...keys: string[]) {
    await this.run("arguments[0].focus()", await this.find(xpath));
    const actions = this.browser.driver.actions().keyDown(CONTROL);
    await actions
      .sendKeys(...keys)
      .keyUp(CONTROL)
      .perform();
  }

  private async findNow(xpath: string): Promise<WebElement> {
    const element = await this.run<WebElement | null>(FIND, xpath);
    if (element === null) throw new Error(`Not visible: ${xpath}`);
    return element;
  }

  private async expectOf(xpath: string, script: string, value: unknown) {
    await expect.poll(async () => this.run(script, await this.findNow(xpath))).toEqual(value);
  }
}
