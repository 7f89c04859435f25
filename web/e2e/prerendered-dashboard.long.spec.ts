import type { Page } from "@playwright/test";
import { expect, test } from "./accounts.ts";
import { collectErrors, holdScripts } from "./hold-scripts.ts";
import { PRODUCT } from "./product.ts";

const headingOf = (page: Page) => page.getByRole("heading", { name: "Your Links" });

test("a user sees the heading before the scripts have loaded, and no links of visitors", async ({ page, accounts }) => {
  await accounts.signUp();
  const errors = collectErrors(page);
  const release = await holdScripts(page);
  await page.goto("/dashboard?sort=name", { waitUntil: "commit" });

  await expect(headingOf(page)).toBeVisible();
  const heading = await headingOf(page).elementHandle();
  await expect(page.getByRole("link", { name: "Login" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Create link" })).toBeHidden();
  release();

  await expect(page.getByText("You haven't created any links yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create link" })).toBeVisible();
  expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
  expect(errors).toEqual([]);
});

test("a link pasted on the page before the scripts have loaded is created", async ({ page, accounts }) => {
  await accounts.signUp();
  await page.evaluate((text) => navigator.clipboard.writeText(text), PRODUCT);
  const release = await holdScripts(page);
  await page.goto("/dashboard", { waitUntil: "commit" });
  const field = page.getByRole("textbox", { name: "Amazon product or store link" });
  await field.waitFor();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(field).toHaveValue(PRODUCT);
  release();
  await expect(page.getByRole("region", { name: "New links" }).getByRole("status")).toHaveText("1 link is ready");
});

test("a visitor does not see the dashboard before they are led to the start page", async ({ page }) => {
  const errors = collectErrors(page);
  const release = await holdScripts(page);
  await page.goto("/dashboard", { waitUntil: "commit" });

  await expect(page.getByRole("link", { name: "Tapthru" })).toBeVisible();
  await expect(headingOf(page)).toBeHidden();
  release();

  await expect(page).toHaveURL("/");
  await expect(page.getByRole("textbox")).toBeVisible();
  expect(errors).toEqual([]);
});
