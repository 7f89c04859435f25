import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import decodeQR from "qr/decode.js";
import { expect, test } from "./links.ts";

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

test("the QR code downloads as SVG and PNG, and both contain the short link without a tag", async ({ links, page }) => {
  const { shortCode } = await links.openNew();
  await links.button("Show QR code").click();
  for (const [kind, type] of [
    ["SVG", "image/svg+xml"],
    ["PNG", "image/png"],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), links.button(`Download ${kind}`).click()]);
    expect(download.suggestedFilename()).toBe(`${shortCode}-print-qr.${kind.toLowerCase()}`);
    const file = await readFile(await download.path());
    expect(await readQr(page, file, type)).toBe(new URL(`/l/${shortCode}-print?from=qr`, page.url()).href);
  }
});

test("a short link name is changed", async ({ links, page }) => {
  const { asin } = await links.openNew("/settings");
  await links.button("Edit short link name").press("Enter");
  const renamed = `lamp-${asin.toLowerCase()}`;
  await page.getByRole("textbox", { name: "Short link name" }).fill(renamed);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/link/${renamed}/settings`);
  await expect(links.button("Edit short link name")).toBeFocused();
});

test("an expiry of which only a part was typed does not become 'never'", async ({ links, page }) => {
  await links.openNew("/settings");
  await links.button("Edit expiry").press("Enter");
  const day = page.getByLabel("Last day on which the link works");
  await day.focus();
  await page.keyboard.type("05042099");
  await day.press("Enter");
  await expect(page.getByText("Expires at the end of May 4, 2099")).toBeVisible();
  await links.button("Edit expiry").press("Enter");
  await day.press("Delete");
  await day.press("Enter");
  await expect(page.getByText("Please enter a day, month and year")).toBeVisible();
});
