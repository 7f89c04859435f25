import { expect, newProduct, test } from "./links.ts";

/** The worker determines states every ten seconds, later on a busy machine. */
const STATE_TIMEOUT_MS = 90_000;

test("a link with a malformed tag needs attention until its destination is changed", async ({ links, page }) => {
  test.setTimeout(4 * STATE_TIMEOUT_MS);
  const { asin, url } = newProduct();
  const shortCode = await links.create(`https://www.amazon.com/dp/${asin}?tag=malformed`);
  const badge = page.getByText("Check the tag", { exact: true });
  const card = page.locator(`a[href="/link/${shortCode}"]`);
  // Other tests of the account may have such links too.
  const badgeOfCard = links.cards.filter({ has: card }).filter({ has: badge });

  await expect(async () => {
    await page.goto("/dashboard?show=needs-attention");
    await expect(badgeOfCard).toBeVisible();
  }).toPass({ timeout: STATE_TIMEOUT_MS });

  await card.click();
  await expect(page.getByText(/^The tag of this link does not look like/)).toBeVisible();
  await links.button("Change destination").click();
  await page.getByRole("textbox", { name: "New Amazon link" }).fill(url);
  await links.button("Save").click();
  await expect(badge).toBeHidden();

  await expect(async () => {
    await page.goto(`/link/${shortCode}/settings`);
    await expect(page.getByText(/^Everything works/)).toBeVisible();
  }).toPass({ timeout: STATE_TIMEOUT_MS });
});

test("'Check now' says how the check ended", async ({ links, page }) => {
  test.setTimeout(2 * STATE_TIMEOUT_MS);
  await page.goto(`/link/${await links.create()}/settings`);
  await links.button("Check now").click({ timeout: STATE_TIMEOUT_MS });
  // The product was read when the link was created.
  await expect(page.getByText(/^(?:This product was checked|Checked just now)/)).toBeVisible({
    timeout: STATE_TIMEOUT_MS,
  });
});
