import type { Page } from "@playwright/test";

const SCRIPTS = "/assets/*.js";

/** Delays scripts until the returned function is called. */
export async function holdScripts(page: Page, scripts = SCRIPTS): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** Hydration errors, which React reports and recovers from, among others. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}
