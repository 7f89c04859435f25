import { runSql } from "./database.ts";
import { expect, test } from "./links.ts";

test("a sponsor without an account reads the clicks of another period until the link is revoked", async ({
  links,
  page,
  browser,
  baseURL,
}) => {
  const { shortCode } = await links.openNew("/clicks");
  const today = new Date();
  const last = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 5));
  const day = last.toISOString().slice(0, 10);
  await runSql("SELECT create_click_partitions($1::date)", [day]);
  await runSql(`INSERT INTO clicks SELECT id, $1, '{"p": "48:1234"}', NULL, 1234 FROM links WHERE short_code = $2`, [
    day,
    shortCode,
  ]);
  await links.button("Share clicks").click();
  await page.getByLabel("Name of the page").fill("Camping Co.");
  await page.getByLabel("Last day on which the link works").fill(today.toISOString().slice(0, 10));
  await links.button("Create secret link").click();
  const url = (await page.getByText(/\/shared#/).textContent()) ?? "";
  await links.button("I have saved the link").click();

  const context = await browser.newContext({ ...(baseURL && { baseURL }), storageState: { cookies: [], origins: [] } });
  const sponsor = await context.newPage();
  await sponsor.goto(url);
  await sponsor.getByLabel("Period").selectOption("Last month");
  await expect(sponsor).toHaveURL(/\/shared\?period=last-month#/);
  await expect(sponsor.getByRole("main")).toContainText("1,234");

  await links.button("Revoke Camping Co.").click();
  await links.dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(links.button("Revoke Camping Co.")).toHaveCount(0);
  await sponsor.reload();
  await expect(sponsor.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await context.close();
});
