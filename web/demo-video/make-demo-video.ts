import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { CONTEXT_OPTIONS, LAUNCH_OPTIONS } from "../browser-options.ts";
import { watchAppAttempts } from "../e2e/app-attempts.ts";
import { Home } from "../e2e/home.ts";
import { newPhone } from "../e2e/phones.ts";
import { centerOf, displayUrl, takeScreenshot } from "./screenshots.ts";
import { recordVideo, type VideoRecorder } from "./video-recorder.ts";

/**
 * Makes the demo video of the start page. It creates and taps a link in a real browser, on a stack at E2E_BASE_URL
 * with the Amazon stand-in, and places the screenshots on the stage. Requires ffmpeg.
 */
const MEDIA = join(import.meta.dirname, "../src/features/demo-video/media");
const PRODUCT = "https://www.amazon.com/dp/B0DESKTOP1?tag=yourname-20";
/** Shows the field and the result at once. */
const WINDOW = { width: 600, height: 436 };
const PHONE_WINDOW = { width: 360, height: 446 };
const SCROLL_STEPS = 12;

/** Fetches the product's metadata in advance, so that the video does not show waiting for it. */
async function fetchProduct(page: Page) {
  await page.request.post("/api/generate", {
    data: { url: PRODUCT },
    headers: { Origin: new URL(page.url()).origin },
  });
  const path = "/api/metadata?product_id=B0DESKTOP1&marketplace=com";
  await expect.poll(async () => (await (await page.request.get(path)).json()).title).toBeTruthy();
}

/** Records the start page, from the empty field to the copied link. @returns the short URL */
async function pasteAndCopy(browser: Browser, recorder: VideoRecorder): Promise<string> {
  const context = await browser.newContext({
    ...CONTEXT_OPTIONS,
    viewport: WINDOW,
    deviceScaleFactor: 2,
    colorScheme: "light",
  });
  const page = await context.newPage();
  const home = new Home(page);
  await home.open();
  await fetchProduct(page);
  const screen = async () => ({ kind: "window", screenshot: await takeScreenshot(page) }) as const;

  const empty = { step: "paste", screen: await screen() } as const;
  const field = await centerOf(home.field);
  await recorder.hold(empty, 1);
  await recorder.tap(empty, { x: 520, y: 390 }, field);

  let release = () => {};
  const isShown = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("/api/generate", async (route) => {
    await isShown;
    await route.continue();
  });
  await home.field.fill(PRODUCT);
  await page.getByRole("status").waitFor();
  await recorder.hold({ step: "paste", screen: await screen() }, 1.6);
  release();
  await home.copyButton.waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await home.toast.waitFor({ state: "detached" });
  // The toast is at the end of the page, and closing it has scrolled there.
  await page.evaluate(() => scrollTo(0, 0));
  await recorder.hold({ step: "copy", screen: await screen() }, 0.6);

  const result = await home.result.boundingBox();
  const bottom = (result?.y ?? 0) + (result?.height ?? 0) + 24 - WINDOW.height;
  for (let step = 1; step <= SCROLL_STEPS; step += 1) {
    const done = (1 - Math.cos((Math.PI * step) / SCROLL_STEPS)) / 2;
    await page.evaluate((top) => scrollTo(0, top), bottom * done);
    await recorder.hold({ step: "copy", screen: await screen() });
  }
  const resultScene = { step: "copy", screen: await screen() } as const;
  await recorder.hold(resultScene, 1);
  recorder.useAsPoster();
  await recorder.tap(resultScene, field, await centerOf(home.copyButton));
  const shortUrl = (await home.shortLink.getAttribute("href")) ?? "";
  await home.copyButton.click();
  await home.toast.waitFor();
  await recorder.hold({ step: "copy", screen: await screen() }, 1.8);
  await context.close();
  return shortUrl;
}

/** Records a message with the link, the page it opens within the app, and the address that the tap opens. */
async function shareAndTap(browser: Browser, recorder: VideoRecorder, shortUrl: string) {
  const message = {
    step: "share",
    screen: { kind: "message", link: displayUrl(shortUrl) },
  } as const;
  await recorder.fadeIn(message);
  await recorder.hold(message, 1.8);
  await recorder.tap(message, { x: 300, y: 430 }, { x: 130, y: 222 });

  const phone = await newPhone(browser, "pinterest-ios");
  const page = await phone.newPage();
  await page.setViewportSize(PHONE_WINDOW);
  const attempts = await watchAppAttempts(page);
  await page.goto(shortUrl);
  const opening = {
    step: "tap",
    screen: {
      kind: "phone",
      screenshot: await takeScreenshot(page),
      address: displayUrl(shortUrl),
    },
  } as const;
  const button = page.getByRole("link", { name: "Open in Amazon App" });
  await recorder.fadeIn(opening);
  await recorder.hold(opening, 1.8);
  await recorder.tap(opening, { x: 130, y: 300 }, await centerOf(button));

  await button.dispatchEvent("click");
  await expect.poll(attempts).toHaveLength(1);
  const [, scheme = "", shownPage = "", tag = ""] =
    /^([^:]+:\/\/)([^?]+)\?(.*)$/.exec(attempts()[0] ?? "") ?? [];
  const ending = {
    step: "tag",
    screen: { kind: "address", scheme, page: shownPage, tag },
  } as const;
  await recorder.fadeIn(ending);
  await recorder.hold(ending, 3.6);
  await phone.close();
}

const browser = await chromium.launch(LAUNCH_OPTIONS);
try {
  await recordVideo(browser, async (recorder) => {
    const shortUrl = await pasteAndCopy(browser, recorder);
    await shareAndTap(browser, recorder, shortUrl);
    const media = (name: string) => join(MEDIA, name);
    await writeFile(media("demo.vtt"), recorder.captions());
    await recorder.write({
      webm: media("demo.webm"),
      mp4: media("demo.mp4"),
      poster: media("poster.webp"),
    });
  });
} finally {
  await browser.close();
}
