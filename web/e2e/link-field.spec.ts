import { expect, test } from "./home.ts";
import { newProduct } from "./product.ts";
import { expectWholeWords } from "./text-fits.ts";

test("a tag typed with a pause behind a pasted link is neither submitted early nor erased", async ({ home, page }) => {
  const requested: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/generate")) requested.push(request.postDataJSON().url);
  });
  const [untagged = ""] = newProduct().url.split("?");
  const untaggedLink = await home.createLink(untagged);
  await expect(home.field).toBeFocused();

  await page.clock.install();
  await page.keyboard.type("?tag=me");
  await page.clock.runFor(10_000);
  await page.keyboard.type("-20");
  await page.clock.runFor(10_000);
  await expect(home.field).toHaveValue(`${untagged}?tag=me-20`);
  expect(requested).toEqual([untagged]);

  await page.keyboard.press("Enter");
  // The toast of the first link may still be shown. The field is disabled until the second link is.
  await expect(home.shortLink).not.toHaveAttribute("href", untaggedLink);
  await expect(home.field).toBeFocused();
  await page.keyboard.type("&");
  await expect(home.field).toHaveValue(`${untagged}?tag=me-20&`);
  expect(requested).toEqual([untagged, `${untagged}?tag=me-20`]);
});

test("going back from the sign-up page, the created link is still shown", async ({ home, page }) => {
  const shortUrl = await home.createLink();
  await page.getByRole("main").getByRole("button", { name: "Sign up for free" }).click();
  await expect(page).toHaveURL("/signup");
  await expectWholeWords(page.getByText("The link you created in this browser will be on your dashboard."));
  await page.goBack();
  const shown = page.getByRole("region", { name: "New links" });
  await expect(shown.getByRole("link")).toHaveAttribute("href", shortUrl);
});
