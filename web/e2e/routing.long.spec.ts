import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();
test.slow();

/** Redirects follow within a second if the machine is not busy. */
const PROPAGATION = { timeout: 20_000 };

/** The address that a desktop in this country opens. The proxy in front of a site says the country. */
async function openedFrom(page: Page, country: string, shortCode: string) {
  const headers = { "CF-IPCountry": country };
  const response = await page.request.get(`/l/${shortCode}`, { headers, maxRedirects: 0 });
  return response.headers().location;
}

/** Whether amazon.de is known to sell the product may change during the test: if not, visitors search for its title. */
const germanPage = (asin: string) =>
  new RegExp(`^https://www\\.amazon\\.de/(dp/${asin}\\?|s\\?k=Stand-in%20product%20${asin}&)tag=me-21$`);

/** Waits until the change that `choose` makes is saved. */
async function save(page: Page, path: string, choose: () => Promise<void>) {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith(path) && response.request().method() === "PUT",
  );
  await choose();
  expect((await saved).status()).toBe(200);
}

test("visitors open the store of their country with the owner's tag there, as account and link say", async ({
  links,
  page,
}) => {
  const { asin, shortCode } = await links.openNew();
  const german = germanPage(asin);
  const original = `https://www.amazon.com/dp/${asin}?tag=me-20`;
  const from = (country: string) => () => openedFrom(page, country, shortCode);
  expect(await from("DE")()).toBe(original);

  await page.goto("/account/stores");
  await links.button("More stores").click();
  const tag = page.getByRole("textbox", { name: "amazon.de (Germany)" });
  await tag.fill("me-21");
  await tag.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  const account = page.getByRole("group", { name: "Send visitors to their own store" });
  const fallback = page.getByRole("group", { name: "If their store is not known to sell" });
  await expect(account.getByRole("radio", { name: /^Off/ })).toBeChecked();
  await save(page, "/api/routing", () => account.getByRole("radio", { name: /^On\b/ }).click());
  const search = fallback.getByRole("radio", { name: "Search for the title in their store" });
  await save(page, "/api/routing", () => search.click());
  await page.reload();
  await expect(account.getByRole("radio", { name: /^On\b/ })).toBeChecked();
  await expect(search).toBeChecked();

  await expect.poll(from("DE"), PROPAGATION).toMatch(german);
  expect(await from("AT")()).toMatch(german);
  expect(await from("US")()).toBe(original);
  expect(await from("FR")()).toBe(original);

  const link = page.getByRole("group", { name: "Send visitors to their own store" });
  const openChoice = async () => {
    await page.goto(`/link/${shortCode}/opening`);
    await links.button("Choose where visitors go").click();
  };
  await openChoice();
  await expect(link.getByRole("radio", { name: "As in your account" })).toBeChecked();
  await expect(page.getByText("Visitors can be sent to amazon.de.")).toBeVisible();

  const path = `/links/${shortCode}/routing`;
  await save(page, path, () => link.getByText("Off").click());
  await expect(page.getByText("Every visitor opens the original link now.")).toBeVisible();
  await openChoice();
  await expect(link.getByRole("radio", { name: "Off" })).toBeChecked();
  await expect.poll(from("DE"), PROPAGATION).toBe(original);

  await save(page, path, () => link.getByText("On", { exact: true }).click());
  await expect.poll(from("DE"), PROPAGATION).toMatch(german);

  await page.goto("/account/stores");
  await save(page, "/api/routing", () => account.getByRole("radio", { name: /^Off/ }).click());
  await openChoice();
  await expect(link.getByRole("radio", { name: "On", exact: true })).toBeChecked();
  expect(await from("DE")()).toMatch(german);
  await save(page, path, () => link.getByText("As in your account").click());
  await expect.poll(from("DE"), PROPAGATION).toBe(original);
  await page.reload();
  await links.button("Choose where visitors go").click();
  await expect(link.getByRole("radio", { name: "As in your account" })).toBeChecked();
});

test("the settings of the account after a failure: accessible at each size, in each theme and by keyboard", async ({
  links: { page },
}) => {
  await page.goto("/account/stores");
  await page.route("**/api/routing", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  const account = page.getByRole("group", { name: "Send visitors to their own store" });
  await account.getByRole("radio", { name: /^On\b/ }).click();
  await expect(page.getByText("Not saved. Please try again.", { exact: true })).toBeVisible();
  await expectAccessiblePage(page);
});

test("the choice of a link: accessible at each size, in each theme and by keyboard", async ({ links, page }) => {
  await links.openNew("/opening");
  await links.button("Choose where visitors go").click();
  await expect(page.getByText("Every visitor opens the original link now.")).toBeVisible();
  await expectAccessiblePage(page);
});

test("the panel shows what visitors from a country open, and why: also accessible", async ({ links, page }) => {
  const { asin, shortCode } = await links.openNew("/opening");
  const headers = { Origin: new URL(page.url()).origin };
  for (const [path, data] of [
    ["/api/stores", { marketplace: "de", tag: "me-21" }],
    ["/api/routing", { isOn: true, fallback: "search" }],
  ] as const) {
    expect((await page.request.put(path, { data, headers })).status()).toBe(200);
  }
  const panel = page.locator("section", { hasText: "How will this open?" });
  await panel.getByText("Show technical details").click();
  const country = panel.getByLabel("Visitors from");
  await expect(panel.getByText("They open your original link.")).toBeVisible();
  await expect(panel.getByText("Go to amazon.com instead")).toBeHidden();

  await country.selectOption("Austria");
  await expect(panel.getByText(/^They .* on amazon\.de, with your tag me-21/)).toBeVisible();
  await expect(panel.getByText("Go to amazon.com instead")).toBeVisible();
  await expect(panel.locator("code").last()).toHaveText(`https://www.amazon.com/dp/${asin}?tag=me-20`);
  await expectAccessiblePage(page);
  await panel.getByText("Desktop", { exact: true }).click();
  await expect(panel.locator("code")).toHaveText(germanPage(asin));
  await expect.poll(() => openedFrom(page, "AT", shortCode), PROPAGATION).toMatch(germanPage(asin));

  for (const [name, code, reason] of [
    ["Italy", "IT", "They open your original link: you have no tag for amazon.it."],
    ["United States", "US", "They open your original link: amazon.com is their store."],
  ] as const) {
    await country.selectOption(name);
    await expect(panel.getByText(reason)).toBeVisible();
    await expect(panel.locator("code")).toHaveText((await openedFrom(page, code, shortCode)) ?? "");
  }

  // The clicks of these visits are requested again every ten seconds.
  await page.getByRole("link", { name: "Clicks", exact: true }).click();
  await page.getByRole("group", { name: "By", exact: true }).getByText("Store").click();
  const counted = page.getByRole("table", { name: "Where taps come from: Store" });
  await expect(counted.getByRole("rowheader", { name: "amazon.de" })).toBeVisible(PROPAGATION);
  await expect(counted.getByRole("rowheader", { name: "The link's own store" })).toBeVisible(PROPAGATION);
});
