import type { Page } from "@playwright/test";
import { expect, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

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
  const original = `https://www.amazon.com/dp/${asin}?tag=me-20`;
  // Whether amazon.de is known to sell the product may change during the test: if not, visitors search for its title.
  const german = new RegExp(`^https://www\\.amazon\\.de/(dp/${asin}\\?|s\\?k=Stand-in%20product%20${asin}&)tag=me-21$`);
  /** The address that a desktop in this country opens. The proxy in front of a site says the country. */
  const from = (country: string) => async () => {
    // Without a header of each browser, it counts as a bot.
    const headers = { "CF-IPCountry": country, "Accept-Language": "de" };
    return (await page.request.get(`/l/${shortCode}`, { headers, maxRedirects: 0 })).headers().location ?? "";
  };
  await page.goto("/account/stores");
  await links.button("More stores").click();
  await page.getByRole("textbox", { name: "amazon.de (Germany)" }).fill("me-21");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  const group = page.getByRole("group", { name: "Send visitors to their own store" });
  await save(page, "/api/routing", () => group.getByRole("radio", { name: /^On\b/ }).click());
  const search = page.getByRole("radio", { name: "Search for the title in their store" });
  await save(page, "/api/routing", () => search.click());
  await page.reload();
  await expect(search).toBeChecked();
  await expect.poll(from("DE")).toMatch(german);
  await expect.poll(from("AT")).toMatch(german);
  expect(await from("US")()).toBe(original);

  const openChoice = () => page.goto(`/link/${shortCode}/opening`);
  const path = `/links/${shortCode}/routing`;
  await openChoice();
  await expect(group.getByRole("radio", { name: "As in your account" })).toBeChecked();
  await save(page, path, () => group.getByText("Off").click());
  await openChoice();
  await expect(group.getByRole("radio", { name: "Off" })).toBeChecked();
  await expect.poll(from("DE")).toBe(original);
  await save(page, path, () => group.getByText("On", { exact: true }).click());
  await expect.poll(from("DE")).toMatch(german);

  await page.goto(`/link/${shortCode}/clicks`);
  await page.getByRole("combobox", { name: "By", exact: true }).selectOption("Store");
  const counted = page.getByRole("table", { name: "Where taps come from: Store" });
  await expect(counted.getByRole("rowheader", { name: "amazon.de" })).toBeVisible();
});
