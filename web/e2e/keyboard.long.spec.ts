import type { Page } from "@playwright/test";
import { expect, PRODUCT, test } from "./home.ts";
import { type Links, test as userTest } from "./links.ts";
import type { States } from "./states.ts";

/** Presses Tab until the focus is on a control of this name. */
async function tabTo(page: Page, role: "link" | "textbox", name: string) {
  const control = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

// Specification 2.19
test("a visitor creates, copies and saves a link by keyboard", async ({ home, page }) => {
  const { keyboard } = page;
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), PRODUCT);
  for (const name of ["Skip to content", "Tapthru", "Login", "Sign up for free"]) {
    await keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
  }
  await tabTo(page, "textbox", "Amazon product or store link");
  await keyboard.press("ControlOrMeta+v");
  await expect(home.result).toBeVisible();
  await expect(home.field).toBeFocused();
  await keyboard.press("Tab");
  await expect(home.shortLink).toBeFocused();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(home.toast).toContainText("Link generated!");
  // Specification 2.72
  await keyboard.press("F8");
  await keyboard.press("Tab");
  await keyboard.press("Escape");
  await expect(home.toast).toHaveCount(0);
  await expect(home.copyButton).toBeFocused();

  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await keyboard.press("Escape");
  await expect(home.result.getByRole("button", { name: "Show QR code" })).toBeFocused();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/signup");
});

userTest("two links skip to the first card, from which Tab moves to its buttons", async ({ links, page }) => {
  const { asin, shortCode } = await links.openNew();
  await page.goto("/dashboard");
  const card = links.cards.filter({ hasText: asin });
  await expect(card).toBeVisible();
  for (const name of ["Skip to content", "Skip to your links"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await tabTo(page, "link", `Stand-in product ${asin}`);
  await page.keyboard.press("Tab");
  await expect(links.button(`Copy link of Stand-in product ${asin}`)).toBeFocused();
  await page.keyboard.press("Tab");
  const more = links.button(`More actions for Stand-in product ${asin}`);
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("q");
  await expect(page.getByRole("menuitem", { name: "QR code" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Name, which only you see" })).toBeFocused();
  await page.keyboard.type("Typed in the list");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(links.button("More actions for Typed in the list")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/link/${shortCode}`);
});

const DAYS = "period=custom&from=2026-10-01&to=2026-10-31&against=custom&since=2026-09-01&until=2026-09-30";

/** The places with fields of dates. */
const WITH_DATES: States<Links> = {
  "the filters of the list": (links) => links.button("More").click(),
  "a period and what it is compared with": ({ page }) => page.goto(`/clicks?${DAYS}`),
  "a new API key": async (links) => {
    await links.page.goto("/account/developers");
    await links.button("New API key").click();
  },
  "the options of a new link": async (links) => {
    await links.page.goto("/link-creation");
    await links.button("Options").click();
  },
  "the start and the end of a link": async (links) => {
    await links.openNew("/settings");
    await links.button("Edit start").click();
    await links.button("Edit expiry").click();
  },
  "a secret link to a link's clicks": async (links) => {
    await links.openNew("/clicks");
    await links.button("Share clicks").click();
  },
};

for (const [place, reach] of Object.entries(WITH_DATES)) {
  userTest(`${place}: a typed date stays in its field`, async ({ links, page }) => {
    await reach(links);
    const fields = page.locator("input[type^=date]");
    await expect(fields.first()).toBeVisible();
    for (const field of await fields.all()) {
      await field.focus();
      await page.keyboard.type("11052026");
      if ((await field.getAttribute("type")) === "date") await expect(field).toHaveValue("2026-11-05");
      else {
        await page.keyboard.type("0930AM");
        await expect(field).toHaveValue("2026-11-05T09:30");
      }
    }
  });
}

userTest(
  "the list is filtered by a typed day, by no year before, and by each key in a list of choices",
  async ({ links, page }) => {
    await links.createAndList();
    await links.button("More").click();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(...new URL(request.url()).searchParams.getAll("createdFrom")));
    await page.getByLabel("Created from").focus();
    await page.keyboard.type("11052026");
    await expect(page).toHaveURL("/dashboard?from=2026-11-05");
    await page.getByLabel("State").focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await expect(page).toHaveURL("/dashboard?from=2026-11-05&show=no-tag");
    expect(asked.filter((instant) => !instant.startsWith("2026-11-0"))).toEqual([]);
  },
);
