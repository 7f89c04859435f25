import type { Page } from "@playwright/test";

const CONFIG = /(?<=<script type="application\/json" id="config">).*?(?=<\/script>)/;

/** Changes the configuration that the gateway writes into each page. */
export async function changeConfig(page: Page, changes: Record<string, unknown>): Promise<void> {
  await page.route(/./, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    const config = JSON.parse(CONFIG.exec(html)?.[0] ?? "null");
    const changed = { ...config, ...changes };
    const body = html
      .replace(CONFIG, () => JSON.stringify(changed))
      .replaceAll(`>${config.productName}<`, () => `>${changed.productName}<`);
    return route.fulfill({ response, body });
  });
}
