import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { SOCIAL_IMAGE_HEIGHT_PX, SOCIAL_IMAGE_WIDTH_PX } from "@tapthru/proto/rules/limits";
import { SOCIAL_IMAGE_PATH } from "@tapthru/proto/rules/social-card";
import { LAUNCH_OPTIONS } from "./browser-options.ts";
import { icoFile } from "./pictures/ico-file.ts";
import { faviconSvg, type IconShape, iconSvg } from "./pictures/icon-svg.ts";
import { withVitePage } from "./vite-page.ts";

/** Writes the social card, rendered with the web app's components, and the icons to public/. */
const { PRODUCT_NAME = "Tapthru" } = process.env;
const PUBLIC = join(import.meta.dirname, "public");

function takeSocialCard(browser: Browser): Promise<Buffer> {
  const path = `/pictures/social-card.html?${new URLSearchParams({ name: PRODUCT_NAME })}`;
  const size = { width: SOCIAL_IMAGE_WIDTH_PX, height: SOCIAL_IMAGE_HEIGHT_PX };
  return withVitePage(browser, path, size, async (page) => {
    await page.getByRole("heading").waitFor();
    return page.screenshot();
  });
}

async function takeIcon(browser: Browser, shape: IconShape, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${iconSvg(shape, size)}`);
  return page.screenshot({ omitBackground: true });
}

const browser = await chromium.launch(LAUNCH_OPTIONS);
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
await writeFile(join(PUBLIC, "favicon.svg"), faviconSvg());
await browser.close();
