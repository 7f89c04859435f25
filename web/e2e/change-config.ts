import type { Page } from "@playwright/test";

/**
 * Changes the configuration that the gateway writes into each page, and the product's name in the prerendered page,
 * before the application reads them.
 */
export async function changeConfig(page: Page, changes: Record<string, unknown>): Promise<void> {
  await page.addInitScript((changed) => {
    document.addEventListener("readystatechange", () => {
      const element = document.getElementById("config");
      if (document.readyState !== "interactive" || !element) return;
      const config = JSON.parse(element.textContent);
      const newConfig = { ...config, ...changed };
      element.textContent = JSON.stringify(newConfig);
      for (const name of document.querySelectorAll("[data-prerendered] span")) {
        const isName = name.childElementCount === 0 && name.textContent === config.productName;
        if (isName) name.textContent = newConfig.productName;
      }
    });
  }, changes);
}
