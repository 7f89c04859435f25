import { createHash } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { CONTEXT_OPTIONS, E2E_BASE_URL, LAUNCH_OPTIONS } from "../browser-options.ts";
import { Accounts, expect, test } from "./accounts.ts";
import { confirmEmail } from "./database.ts";
import { newAccount } from "./new-account.ts";
import { newProduct } from "./product.ts";

const { EXTENSION_CHROMIUM_PATH: executablePath } = process.env;

let browser: BrowserContext;
let id: string;

test.beforeEach(async ({ browserName: _ }, info) => {
  const folder = info.outputPath("extension");
  await cp(join(import.meta.dirname, "../extension"), folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  // A click on the extension's button, which is not part of any page, gives it the address of the tab.
  manifest.permissions.push("tabs");
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  // As Chromium derives it from the path.
  const digits = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  id = digits.replace(/./g, (digit) => "abcdefghijklmnop".charAt(Number.parseInt(digit, 16)));
  browser = await chromium.launchPersistentContext("", {
    ...CONTEXT_OPTIONS,
    env: LAUNCH_OPTIONS.env,
    ...(executablePath ? { executablePath } : { channel: "chromium" }),
    args: [...LAUNCH_OPTIONS.args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
});
test.afterEach(() => browser.close());

/** Creates an account, a channel and a key. */
async function createKey(): Promise<{ key: string; blog: number }> {
  const page = await browser.newPage();
  await confirmEmail((await new Accounts(page).signUp(newAccount())).email);
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { data, headers: { origin: E2E_BASE_URL } });
    expect(response.status()).toBe(201);
    return response.json();
  };
  const { id: blog } = await post("/api/channels", { name: "Blog" });
  const { key } = await post("/api/keys", { name: "x", scopes: ["links:read", "links:write"] });
  return { key, blog };
}

test("the extension copies a short link of the current Amazon page, with the tag of the chosen channel, or says that it has none", async () => {
  const { key, blog } = await createKey();
  const options = await browser.newPage();
  await options.goto(`chrome-extension://${id}/options.html`);
  const status = options.getByRole("status");
  const save = async (address: string, text: string) => {
    await options.getByLabel("Address of the installation").fill(address);
    await options.getByLabel("API key").fill(text);
    await options.getByRole("button", { name: "Save" }).click();
  };
  await save(E2E_BASE_URL, `tt_${"x".repeat(36)}`);
  await expect(status).toHaveText("The API key is not valid. Enter another one under Settings.");
  await save("http://localhost:1", key);
  await expect(status).toHaveText(/^http:\/\/localhost:1 does not respond\./);
  await save(`${E2E_BASE_URL}/dashboard`, key);
  await expect(status).toHaveText(/^Saved\./);

  const amazon = await browser.newPage();
  const popup = await browser.newPage();
  const said = popup.getByRole("status");
  /** Opens the popup while a page is the current one. */
  const openAt = async (address: string) => {
    await amazon.goto(address);
    await amazon.bringToFront();
    await popup.goto(`chrome-extension://${id}/popup.html`);
    await amazon.bringToFront();
    await popup.reload();
  };
  await openAt(E2E_BASE_URL);
  await expect(said).toHaveText("Open a page of Amazon first.");

  const { asin } = newProduct();
  await openAt(`https://www.amazon.com/dp/${asin}`);
  await popup.getByLabel("Channel").selectOption("Blog");
  await popup.getByRole("button", { name: "Copy short link" }).click();
  await expect(said).toHaveText(/^Copied, without a tag: http/);
  const copied = await amazon.evaluate(() => navigator.clipboard.readText());
  expect(`Copied, without a tag: ${copied}`).toBe(await said.textContent());
  const headers = { authorization: `Bearer ${key}`, cookie: "" };
  const links = await amazon.request.get("/api/links", { headers });
  expect(await links.json()).toMatchObject([{ shortUrl: copied, channelId: blog }]);
  await openAt(`https://www.amazon.com/dp/${asin}`);
  await expect(popup.getByLabel("Channel").locator(":checked")).toHaveText("Blog");
  const tag = { marketplace: "com", tag: "anna-20" };
  expect((await amazon.request.put(`/api/channels/${blog}/tags`, { headers, data: tag })).ok()).toBe(true);
  await popup.getByRole("button", { name: "Copy short link" }).click();
  await expect(said).toHaveText(/^Copied: http/);
});
