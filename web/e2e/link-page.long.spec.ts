import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, type Links, test } from "./links.ts";
import { expectTextFits } from "./text-fits.ts";

const WORDS = "Over-ear wireless headphones with noise cancelling and a microphone for calls, ";
/** As long as the longest titles of Amazon's pages on phones. */
const TITLE = WORDS.repeat(3).slice(0, 183);
const NICKNAME = "My favourite headphones ".repeat(9).slice(0, 199).concat("!");
const RTL_TITLE = "\u0633\u0645\u0627\u0639\u0627\u062a \u0644\u0627\u0633\u0644\u0643\u064a\u0629 ".repeat(9).trim();

/** Opens a new link and changes the api's response for it. */
async function openLink(links: Links, changes: object, url?: string) {
  const shortCode = await links.create(url);
  await links.page.route(`/api/links/${shortCode}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), ...changes } });
  });
  await links.page.goto(`/link/${shortCode}`);
  await expect(links.button("Delete")).toBeVisible();
}

async function linesOf(page: Page): Promise<number> {
  return page.getByRole("heading", { level: 1 }).evaluate((heading) => {
    return Math.round(heading.clientHeight / Number.parseFloat(getComputedStyle(heading).lineHeight));
  });
}

/** The names of the controls whose focus ring the window cuts, in the order of Tab. */
async function controlsWithCutRing(page: Page): Promise<string[]> {
  const cut: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
      const width = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const ring = outlineStyle === "none" ? 0 : width;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const space = Math.min(left, top, innerWidth - right, innerHeight - bottom);
      return { name: element.textContent, isCut: space < ring };
    });
    if (!stop) return cut;
    if (stop.isCut) cut.push(stop.name);
  }
}

test.describe("360 px", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  test("the window cuts no focus ring", async ({ links, page }) => {
    await openLink(links, {});
    expect(await controlsWithCutRing(page)).toEqual([]);
  });

  for (const [name, changes] of [
    ["a title of 183 characters", { title: TITLE.replaceAll(/[.-]/g, " ") }],
    ["a nickname of 200 characters", { nickname: NICKNAME }],
    ["a title from right to left", { title: RTL_TITLE }],
  ] as const) {
    test(`${name} has three lines until the user shows more`, async ({ links, page }) => {
      await openLink(links, changes);
      expect(await linesOf(page)).toBe(3);
      await links.button("Show more").click();
      expect(await linesOf(page)).toBeGreaterThan(3);
      await links.button("Show less").press("Enter");
      expect(await linesOf(page)).toBe(3);
      await expect(links.button("Show more")).toBeFocused();
    });
  }

  test("a name that fits has no button, until the text is larger", async ({ links, page }) => {
    await openLink(links, {
      nickname: "Headphones for long journeys by train",
    });
    await expect(links.button("Show more")).toHaveCount(0);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expect(links.button("Show more")).toBeVisible();
  });
});

test("a right-to-left title is aligned to the right of its box", async ({ links, page }) => {
  await openLink(links, { title: RTL_TITLE });
  await expect(links.name).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("paragraph").filter({ hasText: RTL_TITLE })).toHaveCSS("direction", "rtl");
});

/** Words of the heading that are on more than one line. */
function brokenWords(page: Page): Promise<string[]> {
  return page.getByRole("heading", { level: 1 }).evaluate(({ firstChild: text }) => {
    if (!text) return [];
    const words = [...(text.textContent ?? "").matchAll(/\S+/g)];
    const isBroken = ({ 0: word, index }: RegExpExecArray) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    };
    return words.filter(isBroken).map(([word]) => word);
  });
}

test("text of 200 % does not break the words of a title on a phone", async ({ links, page }) => {
  await openLink(links, {
    title: "\u0627\u0644\u0636\u0648\u0636\u0627\u0621 \u0644\u0644\u0627\u0633\u062a\u062e\u062f\u0627\u0645",
  });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect(await brokenWords(page)).toEqual([]);
});

// Specification 2.48
test("the delete button is red and as wide as the cards of the page", async ({ links, page }) => {
  await links.openNew();
  // Wide windows have two columns of cards.
  await page.setViewportSize({ width: 768, height: 800 });
  const [red, green, blue] = await links.button("Delete").evaluate((button) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) throw new Error("Canvas is unavailable");
    canvas.fillStyle = getComputedStyle(button).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  expect(red).toBeGreaterThan(2 * Math.max(green ?? 255, blue ?? 255));
  const widths = await Promise.all(
    [links.button("Delete"), page.locator("section", { hasText: "Original URL" })].map(
      async (part) => (await part.boundingBox())?.width,
    ),
  );
  expect(widths[0]).toBe(widths[1]);
});

test("the delete button is the last control of the page", async ({ links, page }) => {
  await openLink(links, {});
  const controls = page.getByRole("main").locator("button:visible, a:visible, summary:visible");
  await expect(controls.last()).toHaveText("Delete");
});

test("going back or reloading discards unsaved text only after a question", async ({ links, page }) => {
  const shortCode = await links.create();
  await page.goto("/dashboard");
  const card = page.locator(`a[href="/link/${shortCode}"]`);
  await card.click();
  await links.button("Edit nickname").click();
  const field = page.getByRole("textbox");
  await field.fill("Not saved yet");

  await page.goBack();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`/link/${shortCode}`);
  await expect(field).toHaveValue("Not saved yet");

  const [question] = await Promise.all([
    page.waitForEvent("dialog"),
    page.evaluate(() => void setTimeout(() => location.reload())),
  ]);
  await question.dismiss();
  await expect(field).toHaveValue("Not saved yet");

  await page.goBack();
  await links.button("Discard").click();
  await expect(page).toHaveURL("/dashboard");
  await expect(card).toBeFocused();
  await page.goForward();
  await expect(links.button("Edit nickname")).toBeVisible();
});

test("the link opens in a new tab", async ({ links, page, context }) => {
  await openLink(links, {});
  const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: /\/l\// }).click()]);
  await tab.waitForURL(/amazon/);
  await expect(links.button("Delete")).toBeVisible();
});

const STATES: Record<string, object> = {
  "a title of 183 characters": { title: TITLE },
  "a nickname of 200 characters": { nickname: NICKNAME },
  "a title from right to left": { title: RTL_TITLE },
};

for (const [state, changes] of Object.entries(STATES)) {
  test(`a link with ${state} is accessible at each size, in each theme and by keyboard`, async ({ links, page }) => {
    test.slow();
    await openLink(links, changes);
    await expectAccessiblePage(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await links.button("Show more").click();
    await expectTextFits(page);
  });
}

test("a link without a tag warns above its cards, and the warning is accessible", async ({ links, page }) => {
  test.slow();
  await openLink(links, {}, "https://www.amazon.com/dp/B0CX23V2ZK");
  const warning = page.getByText("This link has no tag", { exact: false });
  const preview = page.getByRole("heading", { name: "Preview" });
  const [warningBox, previewBox] = await Promise.all([warning.boundingBox(), preview.boundingBox()]);
  expect(warningBox?.y).toBeLessThan(previewBox?.y ?? 0);
  await expectAccessiblePage(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`in the ${colorScheme} theme it prints its name, short link and QR code on one white page`, async ({
    links,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await openLink(links, { nickname: NICKNAME }, "https://www.amazon.com/dp/B0CX23V2ZK");
    const qrCode = page.getByLabel(/^QR code/);
    await qrCode.waitFor({ state: "attached" });
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);

    await page.emulateMedia({ media: "print" });
    await expect(qrCode).toBeVisible();
    expect(await page.locator("body").innerText()).toBe(`${NICKNAME}\n${await shortUrlOf(page)}`);
    await expect(links.name).toHaveCSS("color", "rgb(33, 28, 25)");
  });
}

const shortUrlOf = (page: Page) => page.getByRole("link", { name: /\/l\// }).getAttribute("href");
