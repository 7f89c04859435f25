import { escapeUrl } from "@tapthru/proto/rules/app-opening/app-escape";
import { iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/deep-link";
import { describe, test } from "vitest";
import { E2E_BASE_URL } from "../browser-options.ts";
import { PRODUCT } from "../e2e/product.ts";
import { expectNoViolations } from "./axe.ts";
import { heading, link } from "./elements.ts";
import { inEachEngine } from "./engines.ts";
import { createLink, LINK_FIELD } from "./home.ts";

const APP = iosAppLink(PRODUCT);
const OPENING = heading("Opening Amazon...");
const deepLink = async () => buildDeepLink(E2E_BASE_URL, "B0CX23V2ZK", PRODUCT);

inEachEngine((engine) => {
  for (const [name, addressOf] of [
    ["the page of a short link", createLink],
    ["/redirect", deepLink],
  ] as const) {
    describe(name, () => {
      test("in Safari on iOS opens the app automatically", async () => {
        const page = await engine.open("browser-ios");
        await page.open(await addressOf(page));
        await page.expectOpenedApps([APP]);
      });

      test("inside Instagram on iOS a tap opens the app, the external browser or the web page", async () => {
        const page = await engine.open("instagram-ios");
        const address = await addressOf(page);
        const outside = escapeUrl("instagram", address) ?? "";
        await page.open(address);
        await page.find(heading("Continue to Amazon"));
        await expectNoViolations(page);
        await page.click(link("Open outside this app"));
        await page.expectOpenedApps([outside]);
        await page.browser.returnFromApp();
        await page.click(link("Open in Amazon App"));
        await page.expectOpenedApps([outside, APP]);
        await page.browser.returnFromApp();
        await page.click(link("Open in Web Browser"));
        await page.expectUrl(PRODUCT);
      });

      // Not WebKit: WebKitGTK shows an error page where iOS opens an app, and WebKitWebDriver loses a
      // page that goes back to another site.
      if (engine.name === "Firefox") {
        test("in Safari on iOS opens the app once; after a reload or going back only on a tap", async () => {
          const page = await engine.open("browser-ios");
          const address = await addressOf(page);
          await page.open(address);
          await page.expectOpenedApps([APP]);

          await page.reload();
          await page.click(link("Open in Web Browser"));
          await page.expectUrl(PRODUCT);
          await page.back(address);
          await page.find(OPENING);
          await expectNoViolations(page);
          await page.expectOpenedApps([APP]);

          await page.click(link("Try Again to Open in Amazon App"));
          await page.expectOpenedApps([APP, APP]);
        });
      }
    });
  }

  test("/redirect redirects a desktop to the product", async () => {
    const page = await engine.open();
    await page.open(await deepLink());
    await page.expectUrl(PRODUCT);
  });

  if (engine.name === "Firefox") {
    test("going back on a desktop skips /redirect", async () => {
      const page = await engine.open();
      await page.open("/");
      await page.find(LINK_FIELD);
      await page.open(await deepLink());
      await page.expectUrl(PRODUCT);
      await page.back("/");
      await page.find(LINK_FIELD);
    });
  }
});
