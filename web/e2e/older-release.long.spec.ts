import { expect, Home, test } from "./home.ts";

test("a tab of an older release keeps what was typed, and reloads once when it is not needed any more", async ({
  page,
}) => {
  const home = new Home(page);
  let deployed = "one";
  await page.route("/version.txt", (route) => route.fulfill({ contentType: "text/plain", body: `${deployed}\n` }));
  await page.clock.install();
  await home.open();
  await expect(page.getByText("Version one")).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("app_version"))).toBe("one");

  await home.field.fill("half a link");
  deployed = "two";
  let loads = 0;
  page.on("domcontentloaded", () => {
    loads += 1;
  });
  await page.clock.fastForward(6 * 60_000);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("app_version"))).toBe("two");
  await page.clock.fastForward(5_000);
  await expect(home.field).toHaveValue("half a link");
  expect(loads).toBe(0);
  await home.field.fill("");
  await home.field.blur();
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByText("Version two")).toBeVisible();
});

test("a page whose script the new release does not have any more is shown after a reload", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const isMissing = page.waitForResponse(/\/assets\/abuse-report-form-.*\.js$/);
  await page.route(/\/assets\/abuse-report-form-.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  const isReloaded = page.waitForEvent("domcontentloaded");
  await page.getByRole("contentinfo").getByRole("link", { name: "Report a link" }).click();
  expect((await isMissing).status()).toBe(404);
  await isReloaded;
  await expect(page.getByRole("heading", { name: "Report a link" })).toBeVisible();
});
