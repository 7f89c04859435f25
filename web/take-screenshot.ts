import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CONTEXT_OPTIONS, LAUNCH_OPTIONS } from "./browser-options.ts";

/** Takes the README's screenshot, on a stack at E2E_BASE_URL. */
const PICTURE = join(import.meta.dirname, "../docs/images/home.png");

const browser = await chromium.launch(LAUNCH_OPTIONS);
const page = await browser.newPage({
  ...CONTEXT_OPTIONS,
  viewport: { width: 1120, height: 900 },
  deviceScaleFactor: 1.5,
  colorScheme: "light",
});
await page.goto("/");
await page.getByRole("textbox").fill("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20");
await page.getByRole("button", { name: "Copy link" }).waitFor();
await page.getByText("Link generated!").first().waitFor();
await page.screenshot({ path: PICTURE, animations: "disabled", caret: "hide" });
await browser.close();
