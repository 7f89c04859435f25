import { closeToast, expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./links.ts";
import { expectWholeWords } from "./text-fits.ts";

test("links are labelled, filtered and exported; each step is accessible and returns the focus", async ({
  links,
  page,
}) => {
  test.slow();
  await links.createAndList();
  await links.button("Select").click();
  await links.button("Select all").click();
  await links.button("Label").click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "New label" });
  for (const name of ["Gifts", "Weihnachtsgeschenkideen für Kinder ab sechs Jahren", "متجر الصيف"]) {
    await field.fill(name);
    await field.press("Enter");
  }
  await expectAccessiblePage(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toBe("Label");
  await expect(links.cards.first()).toContainText("Gifts");
  await closeToast(page);
  await links.button("Cancel").click();
  await expectAccessiblePage(page);

  await links.button("Filters").click();
  await page.getByRole("combobox", { name: "Filter by label" }).selectOption("Gifts");
  await expect(page).toHaveURL(/[?&]label=\d+$/);
  await links.button("Manage labels").click();
  await dialog.getByRole("button", { name: "Edit label Gifts" }).click();
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await expectWholeWords(dialog.getByRole("heading"));
  await expectAccessiblePage(page);
  await dialog.getByRole("textbox").press("Escape");
  await expect(dialog.getByRole("button", { name: "Edit label Gifts" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await links.button("Export").click();
  await expect(dialog).toBeVisible();
  await expectAccessiblePage(page);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/^tapthru-links-.+\.csv$/);

  await links.cards.first().getByRole("link").click();
  await expect(links.button("Edit labels")).toBeVisible();
  await expectAccessiblePage(page);
});
