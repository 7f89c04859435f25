import { chromium } from "@playwright/test";

/** Takes the README's picture of a stack that runs on E2E_BASE_URL. */
const { E2E_BASE_URL = "http://localhost:8080", CHROMIUM_PATH } = process.env;
const PICTURE = new URL("../docs/images/home.png", import.meta.url).pathname;

const browser = await chromium.launch({
  ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
  args: ["--no-sandbox", "--disable-background-networking"],
});
const page = await browser.newPage({
  viewport: { width: 1120, height: 900 },
  deviceScaleFactor: 1.5,
  colorScheme: "light",
});
await page.goto(E2E_BASE_URL);
await page.getByRole("textbox").fill("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20");
await page.getByRole("button", { name: "Copy link" }).waitFor();
await page.getByText("Link generated!").first().waitFor();
await page.screenshot({ path: PICTURE, animations: "disabled", caret: "hide" });
await browser.close();
