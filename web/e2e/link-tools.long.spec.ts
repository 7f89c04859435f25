import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import decodeQR from "qr/decode.js";
import { closeToast, expectAccessiblePage } from "./accessible-page.ts";
import { test as guestTest } from "./home.ts";
import { expect, type Links, test } from "./links.ts";
import { newPhone, type StrategyId } from "./phones.ts";

const TAGGED_URL = "https://www.amazon.com/dp/B0CX23V2ZK?th=1&tag=me-20&x=%c3%89t%C3%A9+a%20b";

async function openTagged(links: Links, tab = ""): Promise<string> {
  const shortCode = await links.create(TAGGED_URL);
  await links.page.goto(`/link/${shortCode}${tab}`);
  await expect(links.button("Show QR code")).toBeVisible();
  return shortCode;
}

/** Opens a link with a tag, and the technical details of how it opens. */
async function openTechnicalDetails(links: Links): Promise<string> {
  const shortCode = await openTagged(links, "/opening");
  await expect(links.page.getByLabel("Opened from")).toBeHidden();
  await links.page.getByText("Show technical details").click();
  await expect(links.page.getByLabel("Opened from")).toBeVisible();
  return shortCode;
}

const RENDERED_WIDTH_PX = 400;

/** Renders a picture in the browser, and decodes its QR code with another library. */
async function readQr(page: Page, picture: Buffer, type: string): Promise<string> {
  const rendered = await page.evaluate(
    async ({ url, width }) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height: width });
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, width, width);
      const reds = context?.getImageData(0, 0, width, width).data.filter((_, at) => at % 4 === 0);
      return { width: image.naturalWidth, bits: [...(reds ?? [])].map((red) => red >> 7).join("") };
    },
    { url: `data:${type};base64,${picture.toString("base64")}`, width: RENDERED_WIDTH_PX },
  );
  expect(rendered.width).toBeGreaterThanOrEqual(1_000);
  const data = Uint8Array.from([...rendered.bits].flatMap((bit) => Array(3).fill(Number(bit) * 255)));
  return decodeQR({ width: RENDERED_WIDTH_PX, height: RENDERED_WIDTH_PX, data });
}

test("the QR code downloads as SVG and PNG, and both contain the short link", async ({ links, page }) => {
  const shortCode = await openTagged(links);
  await links.button("Show QR code").click();
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  for (const [kind, type] of [
    ["SVG", "image/svg+xml"],
    ["PNG", "image/png"],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), links.button(`Download ${kind}`).click()]);
    expect(download.suggestedFilename()).toBe(`${shortCode}-qr.${kind.toLowerCase()}`);
    const file = await readFile(await download.path());
    expect(await readQr(page, file, type)).toBe(new URL(`/l/${shortCode}`, page.url()).href);
  }
  await page.keyboard.press("Escape");
  await expect(links.button("Show QR code")).toBeFocused();
});

/** The panel's device and app for each strategy. */
const APPS: [StrategyId, "iPhone" | "Android", string][] = [
  ["browser-ios", "iPhone", "Browser"],
  ["browser-android", "Android", "Browser"],
  ["instagram-ios-before-417", "iPhone", "Instagram, before version 417"],
  ["instagram-ios", "iPhone", "Instagram"],
  ["instagram-android", "Android", "Instagram"],
  ["threads-ios", "iPhone", "Threads"],
  ["facebook-ios", "iPhone", "Facebook"],
  ["tiktok-ios", "iPhone", "TikTok"],
  ["tiktok-android", "Android", "TikTok"],
  ["x-ios", "iPhone", "X"],
  ["pinterest-ios", "iPhone", "Pinterest"],
  ["whatsapp-android", "Android", "WhatsApp"],
  ["line-ios", "iPhone", "LINE"],
  ["wechat-android", "Android", "WeChat"],
  ["kakaotalk-ios", "iPhone", "KakaoTalk"],
];

test("the panel shows the addresses that the short link gives each phone and a desktop", async ({
  links,
  page,
  browser,
  baseURL,
  request,
}) => {
  test.slow();
  const shortCode = await openTechnicalDetails(links);
  const shortUrl = `${baseURL}/l/${shortCode}`;
  const addresses = page.locator("section", { hasText: "How will this open?" }).locator("code");
  for (const [strategy, device, app] of APPS) {
    await page.getByText(device, { exact: true }).click();
    await page.getByLabel("Opened from").selectOption(app);
    const phone = await newPhone(browser, strategy, { javaScriptEnabled: false });
    const visit = await phone.newPage();
    await visit.goto(shortUrl);
    const choices = visit.locator("a.button, a.text");
    expect(await addresses.allTextContents(), strategy).toEqual(
      await choices.evaluateAll((found) => found.map((each) => each.getAttribute("href"))),
    );
    await phone.close();
  }
  await page.getByText("Desktop", { exact: true }).click();
  const response = await request.get(shortUrl, { maxRedirects: 0 });
  expect(await addresses.allTextContents()).toEqual([response.headers().location]);
  await expect(addresses.locator("mark")).toHaveText("tag=me-20");
});

test("a highlighted tag does not wrap at any page width", async ({ links, page }) => {
  await openTechnicalDetails(links);
  const mark = page.locator("section", { hasText: "How will this open?" }).locator("mark").first();
  const heights = new Set<number | undefined>();
  for (let width = 320; width <= 420; width += 10) {
    await page.setViewportSize({ width, height: 800 });
    heights.add((await mark.boundingBox())?.height);
  }
  expect([...heights]).toEqual([20]);
});

test("the tools of a link's page and its QR code are accessible", async ({ links, page }) => {
  test.slow();
  await openTechnicalDetails(links);
  for (const device of ["iPhone", "Android"]) {
    await page.getByText(device, { exact: true }).click();
    await page.getByLabel("Opened from").selectOption("Instagram");
    await expectAccessiblePage(page);
  }
  await links.button("Show QR code").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessiblePage(page);
});

test("the panel can be opened and used by keyboard", async ({ links, page }) => {
  await openTagged(links, "/opening");
  await page.locator("summary", { hasText: "Technical details" }).press("Enter");
  await page.getByRole("radio", { name: "iPhone" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Android" })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Opened from")).toBeFocused();
  await page.keyboard.type("Tik");
  await expect(page.getByLabel("Opened from")).toHaveValue("TikTok");
});

guestTest("a new link's tag and QR code are accessible", async ({ home, page }) => {
  guestTest.slow();
  await home.createLink("https://www.amazon.com/dp/B0CX23V2ZK?tag=me-21");
  await closeToast(page);
  await expect(home.result.getByText(/^Tags for amazon\.com usually end in -20\./)).toBeVisible();
  await expectAccessiblePage(page);
  await home.result.getByRole("button", { name: "Show QR code" }).click();
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await expectAccessiblePage(page);
});
