import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";
import { newPhone } from "./phones.ts";
import { expectWholeWords } from "./text-fits.ts";

test("a visitor opens the report form from the app-opening page, with and without scripts", async ({
  home,
  browser,
  baseURL,
}) => {
  const shortCode = (await home.createLink()).split("/").at(-1) ?? "";
  for (const javaScriptEnabled of [false, true]) {
    const phone = await newPhone(browser, "pinterest-ios", { javaScriptEnabled });
    const page = await phone.newPage();
    await page.goto(`${baseURL}/l/${shortCode}`);
    await page.getByRole("link", { name: "Report this link" }).click();
    await expect(page).toHaveURL(`${baseURL}/report?code=${shortCode}`);
    if (javaScriptEnabled) {
      await expect(page.getByLabel("Short link")).toHaveValue(`${baseURL}/l/${shortCode}`);
      await page.getByRole("radio", { name: /^Misleading/ }).check();
      await page.getByRole("button", { name: "Send report" }).click();
      await expect(page.getByRole("heading", { name: "Thank you for your report" })).toBeFocused();
    }
    await phone.close();
  }
});

test("the form, its validation messages and its confirmation are accessible", async ({ home, page }) => {
  test.slow();
  const shortUrl = await home.createLink();
  await page.goto("/report");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Please enter a short link of this site")).toBeVisible();
  await expect(page.getByLabel("Short link")).toBeFocused();
  await expectAccessiblePage(page);
  await page.getByLabel("Short link").fill(shortUrl);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio", { name: /^Misleading/ })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank you for your report" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("with large text on a phone, the reasons for a report break between words only", async ({ page }) => {
  await page.goto("/report");
  await expect(page.getByRole("radio")).toHaveCount(4);
  for (const text of await page.locator("label > span, label > span > span").all()) {
    await expectWholeWords(text);
  }
});
