import { serveManyClicks } from "./clicks-data.ts";
import { expect, test } from "./links.ts";
import { USER_AGENTS } from "./user-agents.ts";

test("visits through the short link are counted by class while the page is open", async ({ links, page, request }) => {
  const shortCode = await links.create();
  await page.goto(`/link/${shortCode}/clicks`);
  await expect(page.getByText(/^No taps in this period\./)).toBeVisible();
  const phone = { "User-Agent": USER_AGENTS["browser-ios"] };
  for (const headers of [
    { ...phone, Referer: "https://l.instagram.com/" },
    phone,
    { "User-Agent": "curl/8.5.0" },
    { ...phone, "Sec-Purpose": "prefetch" },
    { "User-Agent": "facebookexternalhit/1.1" },
  ]) {
    expect([200, 302]).toContain((await request.get(`/l/${shortCode}`, { headers, maxRedirects: 0 })).status());
  }
  const total = (name: string) => page.locator("dl > div", { hasText: name }).locator("dd").first();
  await expect(total("Taps")).toHaveText("2");
  await expect(total("Visitors (estimate)")).toHaveText("1");
  for (const name of ["Previews 1", "Bots 1", "Prefetches 1"]) {
    await expect(page.getByRole("radio", { name, exact: true })).toBeAttached();
  }
  await page.getByText("Website", { exact: true }).click();
  const table = page.getByRole("table", { name: "Where taps come from: Website" });
  await expect(table.getByRole("row", { name: /^Instagram 1/ })).toBeVisible();
  await page.getByText("Bots 1").click();
  await page.reload();
  await expect(page.getByRole("radio", { name: "Bots 1" })).toBeChecked();

  await page.goto("/clicks");
  const top = page.getByRole("table", { name: "Top links" });
  await top.locator(`a[href="/link/${shortCode}"]`).click();
  await expect(page).toHaveURL(`/link/${shortCode}`);
});

test("the chart, its table and the period work by keyboard", async ({ links, page }) => {
  await serveManyClicks(page);
  await page.goto(`/link/${await links.create()}/clicks`);
  const chart = page.getByRole("slider", { name: "Taps by day" });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /: 450$/);
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /: 560$/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Taps by day" })).toBeVisible();
  await page.getByRole("radio", { name: "30 days" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\?period=90d$/);
});
