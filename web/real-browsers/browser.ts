import type { WebDriver } from "selenium-webdriver";

/** A session in a real browser that starts without cookies, storage and history. */
export interface Browser {
  driver: WebDriver;
  /** Collects the console errors of the loaded page from now on. Called after each load. */
  collectErrors(): Promise<void>;
  /** The addresses with which pages tried to open an app, oldest first. */
  openedApps(): Promise<string[]>;
  /** Returns from an app that a page has opened. */
  returnFromApp(): Promise<void>;
  /** The collected errors. */
  consoleErrors(): Promise<string[]>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Null keeps the browser's default. */
  userAgent: string | null;
  /** Port of the proxy on 127.0.0.1 that receives all requests. */
  proxyPort: number;
}
