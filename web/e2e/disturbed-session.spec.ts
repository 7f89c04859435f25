import { expect, SESSION_CHUNK, test } from "./accounts.ts";

test("a user stays signed in while the identity provider is unavailable", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.route("/api/auth/**", (route) => route.fulfill({ status: 503, body: "Unavailable." }));
  await page.goto("/dashboard");
  await expect(accounts.button("Create link")).toBeVisible();
});

test("a user stays signed in although the script of the session fails once", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.route(SESSION_CHUNK, (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent("requestfailed", (request) => SESSION_CHUNK.test(request.url()));
  await page.goto("/dashboard");
  await failed;
  await expect(accounts.button("Create link")).toBeVisible();
  await expect(page).toHaveURL("/dashboard");
  await page.reload();
  await expect(accounts.dashboard).toBeVisible();
});
