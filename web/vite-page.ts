import type { Browser, Page, ViewportSize } from "@playwright/test";
import { createServer } from "vite";

/** Serves a page with Vite, opens it in the browser and passes it to `use`. */
export async function withVitePage<T>(
  browser: Browser,
  path: string,
  viewport: ViewportSize,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const server = await createServer({
    root: import.meta.dirname,
    logLevel: "error",
    server: { port: 5174, strictPort: false },
  });
  try {
    await server.listen();
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.goto(new URL(path, server.resolvedUrls?.local[0]).href);
    return await use(page);
  } finally {
    await server.close();
  }
}
