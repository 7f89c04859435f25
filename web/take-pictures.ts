import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { SOCIAL_IMAGE_HEIGHT_PX, SOCIAL_IMAGE_WIDTH_PX } from "@tapthru/proto/rules/limits";
import { SOCIAL_IMAGE_PATH } from "@tapthru/proto/rules/social-card";
import { createServer } from "vite";
import { icoFile } from "./pictures/ico-file.ts";
import { type IconShape, iconSvg } from "./pictures/icon-svg.ts";

/** Makes the social card, by the web app's own components, and the icons, into public/. */
const { PRODUCT_NAME = "Tapthru", CHROMIUM_PATH } = process.env;
const PUBLIC = join(import.meta.dirname, "public");

async function takeSocialCard(browser: Browser): Promise<Buffer> {
  const server = await createServer({
    root: import.meta.dirname,
    logLevel: "error",
    server: { port: 5174, strictPort: false },
  });
  try {
    await server.listen();
    const address = new URL("/pictures/social-card.html", server.resolvedUrls?.local[0]);
    address.searchParams.set("name", PRODUCT_NAME);
    const page = await browser.newPage({
      viewport: { width: SOCIAL_IMAGE_WIDTH_PX, height: SOCIAL_IMAGE_HEIGHT_PX },
      colorScheme: "light",
    });
    await page.goto(address.href);
    await page.getByRole("heading").waitFor();
    return await page.screenshot();
  } finally {
    await server.close();
  }
}

async function takeIcon(browser: Browser, shape: IconShape, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${iconSvg(shape, size)}`);
  return page.screenshot({ omitBackground: true });
}

const browser = await chromium.launch({
  ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
  args: ["--no-sandbox", "--disable-background-networking"],
});
const icon = (shape: IconShape, size: number) => takeIcon(browser, shape, size);
const pictures = {
  [SOCIAL_IMAGE_PATH]: await takeSocialCard(browser),
  "apple-touch-icon.png": await icon("square", 180),
  "icon-192.png": await icon("rounded", 192),
  "icon-512.png": await icon("rounded", 512),
  "icon-maskable-512.png": await icon("maskable", 512),
  "favicon.ico": icoFile([await icon("rounded", 16), await icon("rounded", 32)]),
};
await mkdir(PUBLIC, { recursive: true });
for (const [path, bytes] of Object.entries(pictures)) await writeFile(join(PUBLIC, path), bytes);
await writeFile(join(PUBLIC, "favicon.svg"), iconSvg("rounded"));
await browser.close();
