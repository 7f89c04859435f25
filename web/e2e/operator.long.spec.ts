import { expect, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount({ isOperator: true });

test("a visitor reports a link, and an operator takes it down and undoes it, with the keyboard alone", async ({
  links,
  page,
  request,
}) => {
  const shortCode = await links.create();
  const statusOfLink = async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status();
  await page.goto(`/report?code=${shortCode}`);
  await expect(page.getByLabel("Short link")).toHaveValue(new RegExp(`/l/${shortCode}$`));
  await page.getByRole("radio", { name: /^Misleading/ }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank you for your report" })).toBeFocused();

  await page.goto("/operator");
  const item = page.getByRole("listitem").filter({ hasText: `/l/${shortCode}` });
  await expect(item).toBeVisible();
  const press = async (name: RegExp) => {
    await item.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await press(/^Take down/);
  await expect(item).toBeHidden();
  await expect.poll(statusOfLink).toBe(410);
  await links.toast.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(item.getByRole("button", { name: /^Dismiss/ })).toBeVisible();
  await expect.poll(statusOfLink).toBe(302);
  await press(/^Dismiss/);
  await expect(item).toBeHidden();
  await page.goto("/operator?show=decided");
  await expect(item).toContainText("Dismissed");
  await press(/^Undo the decision/);
  await expect(item).toBeHidden();

  await page.goto("/operator/activity");
  const change = page.getByRole("listitem").filter({ hasText: `Link created${shortCode}` });
  await change.getByRole("link", { name: /^Address/ }).click();
  await expect(page).toHaveURL(/addressHash=[0-9a-f]{32}$/);
  await expect(change).toBeVisible();
});
