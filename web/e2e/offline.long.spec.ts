import type { Page } from "@playwright/test";
import { expect, test as guestTest, PRODUCT } from "./home.ts";
import { test } from "./links.ts";

/** Goes offline once the script of toasts has loaded, after the first script. */
async function goOffline(page: Page) {
  await expect(page.getByRole("region", { name: "Notifications" })).toBeAttached();
  await page.context().setOffline(true);
}

guestTest(
  "a link pasted offline stays in the field, and 'Try again' creates it once online",
  async ({ home, page, context }) => {
    await goOffline(page);
    await home.field.fill(PRODUCT);
    await home.field.press("Enter");
    await expect(page.getByText("Failed to generate link").first()).toBeVisible();
    await expect(home.field).toHaveValue(PRODUCT);
    await expect(home.field).toHaveAccessibleDescription(/^You're offline/);
    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(home.shortLink).toBeVisible();
  },
);

test("a title saved offline stays in its form and is saved once online", async ({ links, page, context }) => {
  await links.openNew();
  await goOffline(page);
  await links.edit("title", "Typed on a train");
  await expect(page.getByText("Failed to update link").first()).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveValue("Typed on a train");
  await context.setOffline(false);
  await links.button("Save").click();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(links.name).toHaveText("Typed on a train");
});

test("a page whose script fails to load keeps the top bar, and a reload displays it", async ({
  links,
  page,
  context,
}) => {
  await links.createAndList();
  await goOffline(page);
  await links.button("Create link").click();
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await context.setOffline(false);
  await links.button("Reload").click();
  await expect(links.field).toBeVisible();
});
