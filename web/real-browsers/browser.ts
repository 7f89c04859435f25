/** A real browser with one tab, which starts without cookies, storage and history. */
export interface Browser {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  /** Runs the body of a function of `argument` in the page. It may return a promise. */
  run<Result>(body: string, argument?: unknown): Promise<Result>;
  /** Clicks the first visible element. @throws if no element is visible */
  click(xpath: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: "Enter" | "Escape"): Promise<void>;
  /** Presses keys one after the other while Control (on macOS Command) is down. */
  shortcut(keys: string): Promise<void>;
  /** Continues in the tab that the page has just opened. @throws if there is none */
  switchToNewTab(): Promise<void>;
  /** The addresses with which pages tried to open an app, oldest first. */
  openedApps(): Promise<string[]>;
  /** The errors of the page's scripts. */
  errors(): Promise<string[]>;
  /** @returns a PNG in base64 */
  screenshot(): Promise<string>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Null keeps the browser's default. */
  userAgent: string | null;
  /** The size of the page in pixels. */
  size: { width: number; height: number };
  /** Port of the proxy on 127.0.0.1 that receives all requests. */
  proxyPort: number;
}

/** The body of a function that returns the first visible element of the XPath `argument`, or null. */
export const FIRST_VISIBLE = `
const found = document.evaluate(argument, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
for (let index = 0; index < found.snapshotLength; index += 1) {
  const element = found.snapshotItem(index);
  const isMoving = element.closest("dialog")?.getAnimations().some(({ playState }) => playState === "running");
  if (element.checkVisibility({ visibilityProperty: true }) && !isMoving) return element;
}
return null;`;

export class NotVisibleError extends Error {
  constructor(xpath: string) {
    super(`No visible element: ${xpath}`);
  }
}
