import { serveManyClicks } from "./clicks-data.ts";
import { expect, test } from "./links.ts";
import { USER_AGENTS } from "./user-agents.ts";

test("visits through the short link are counted by class while the page is open", async ({ links, page, request }) => {
  const shortCode = await links.create();
  await page.goto(`/link/${shortCode}/clicks`);
  await expect(page.getByText(/^No taps in this period\. A tap/)).toBeVisible();
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
  await page.getByRole("combobox", { name: "By" }).selectOption("Website");
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

test("a click on a bar shows its day; a tap shows its value first", async ({ links, page }) => {
  await serveManyClicks(page);
  await page.goto(`/link/${await links.create()}/clicks`);
  const day = page.getByLabel("First day");
  const bars = page.locator(".touch-pan-y");
  await bars.hover();
  await expect(bars.getByText(/^\w+ \d+.*: \d+/).last()).toBeVisible();
  await bars.click();
  await expect(page).toHaveURL(/[?&]from=/);
  await page.goBack();
  await expect(day).toBeHidden();
  const { x, y, width, height } = (await bars.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const touch = { clientX: x + width / 3, clientY: y + height / 2, pointerType: "touch", bubbles: true };
  for (const presses of [1, 2]) {
    await bars.dispatchEvent("pointerdown", touch);
    await bars.dispatchEvent("pointerup", touch);
    await expect(day).toHaveCount(presses - 1);
  }
});
