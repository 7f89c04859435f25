import { expect, test } from "./links.ts";

test("a user connects Amazon Ads, also after going back from Amazon, reloads, and disconnects", async ({
  links,
  page,
}) => {
  const headers = { Origin: new URL(page.url()).origin };
  expect((await page.request.delete("/api/amazon-ads/connection", { headers })).ok()).toBe(true);
  await page.goto("/amazon-ads-auth");
  const goToAmazon = async () => {
    await links.button("Login with Amazon").click();
    await expect(links.button("Allow")).toBeVisible();
  };
  await goToAmazon();
  expect(page.url()).toMatch(/^https:\/\/www\.amazon\.com\/ap\/oa\?/);
  await page.goBack();
  await goToAmazon();
  await page.getByLabel("Account").selectOption("Anna Advertiser");
  await links.button("Allow").click();
  await expect(page).toHaveURL("/amazon-ads-auth");
  await expect(page.getByText("Connected as Anna Advertiser")).toBeVisible();

  await links.button("Disconnect").click();
  await links.dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(links.toast).toContainText("Amazon Ads is disconnected");
  await page.reload();
  await expect(links.button("Login with Amazon")).toBeVisible();
});
