import type { APIRequestContext } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { type Accounts, expect, newAccount, test } from "./accounts.ts";
import { runSql } from "./database.ts";
import { newProduct } from "./product.ts";

/** Signs up as an operator, and opens their pages. */
async function operate(accounts: Accounts) {
  const { email } = await accounts.signUp(newAccount());
  await runSql("UPDATE users SET is_operator = true WHERE email = $1", [email]);
  await accounts.page.goto("/operator");
}

async function createReportedLink(request: APIRequestContext, baseURL = ""): Promise<string> {
  const headers = { Origin: baseURL };
  const created = await request.post("/api/generate", { data: { url: newProduct().url }, headers });
  const { shortCode } = await created.json();
  const data = { code: shortCode, reason: "misleading" };
  expect((await request.post("/api/reports", { data, headers })).status()).toBe(202);
  return shortCode;
}

test("an operator takes a reported link down and undoes it, with the keyboard alone", async ({
  accounts,
  page,
  request,
  baseURL,
}) => {
  test.slow();
  const shortCode = await createReportedLink(request, baseURL);
  const statusOfLink = async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status();
  await operate(accounts);
  const item = page.getByRole("listitem").filter({ hasText: `/l/${shortCode}` });
  await expect(item).toBeVisible();
  await expectAccessiblePage(page);

  await page.getByRole("main").focus();
  await page.keyboard.press("j");
  while (!(await item.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press("j");
  }
  await page.keyboard.press("t");
  await expect(item).toContainText("Taken down");
  await expect.poll(statusOfLink, { timeout: 30_000 }).toBe(410);
  await page.keyboard.press("u");
  await expect(item.getByRole("button", { name: /^Dismiss/ })).toBeVisible();
  await expect.poll(statusOfLink, { timeout: 30_000 }).toBe(302);
  await page.keyboard.press("d");
  await expect(item).toContainText("Dismissed");
  await page.goto("/operator?show=decided");
  await expect(item).toContainText("Dismissed");
});

test("each page of operators is accessible", async ({ accounts, page }) => {
  test.slow();
  const { username } = await accounts.signUp(newAccount());
  await accounts.logOut();
  await operate(accounts);
  await page.goto(`/operator/users?q=${username}`);
  const user = page.getByRole("link", { name: username });
  await expect(user).toBeVisible();
  await expectAccessiblePage(page);
  await user.click();
  await accounts.button("Disable").click();
  await expectAccessiblePage(page);
  await accounts.button("Cancel").click();
  await expectAccessiblePage(page);
  for (const path of ["/operator/links", "/operator/domains", "/operator/sign-up"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("main [data-loading]")).toHaveCount(0);
    await expectAccessiblePage(page);
  }
});
