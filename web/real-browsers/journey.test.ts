import { iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { Key } from "selenium-webdriver";
import { expect, test } from "vitest";
import { PRODUCT } from "../e2e/product.ts";
import { expectNoViolations } from "./axe.ts";
import { button, field } from "./elements.ts";
import { DEVICES, inEachEngine } from "./engines.ts";
import { LINK_FIELD, SHORT_LINK_XPATH } from "./home.ts";
import { OFFLINE } from "./network.ts";

inEachEngine((engine) => {
  test.for(DEVICES)(
    "a link pasted, copied and opened on $device keeps every parameter",
    async ({ phone }) => {
      const page = await engine.open(phone);
      await page.open("/login");
      await page.cut(field("Email"), PRODUCT);

      await page.open("/");
      await page.find(LINK_FIELD);
      await expectNoViolations(page);
      await page.paste(LINK_FIELD);
      await page.expectText("Link generated!\nYour deep link is ready to be shared");
      const shortUrl = await page.addressOf(SHORT_LINK_XPATH);
      expect(shortUrl).toMatch(/^http:\/\/localhost:\d+\/l\/[2-9a-z]{7}$/);
      await page.expectFocus(LINK_FIELD);
      await expectNoViolations(page);

      await page.click(button("Copy link"));
      await page.expectText("Copied!\nLink copied to clipboard");
      await page.paste(LINK_FIELD);
      await page.expectValue(LINK_FIELD, shortUrl);

      await page.clickIntoNewTab(SHORT_LINK_XPATH);
      if (phone !== null) return page.expectOpenedApps([iosAppLink(PRODUCT)]);
      await page.expectUrl(PRODUCT);
      await page.expectText("Stand-in product B0CX23V2ZK");
    },
  );

  test("a link pasted offline stays in the field, shows an error, and Enter creates it once online", async () => {
    const page = await engine.open();
    await page.open("/");
    await page.find(LINK_FIELD);
    page.network.blockedPaths = OFFLINE;
    await page.fill(LINK_FIELD, PRODUCT + Key.ENTER);
    await page.expectText("Failed to generate link");
    await page.expectValue(LINK_FIELD, PRODUCT);
    await expectNoViolations(page);

    page.network.blockedPaths = null;
    await page.press(LINK_FIELD, Key.ENTER);
    await page.find(SHORT_LINK_XPATH);
  });

  test("a visitor creates a link although the session's script fails to load", async () => {
    const page = await engine.open();
    page.network.blockedPaths = /^\/assets\/session-/;
    await page.open("/");
    await page.fill(LINK_FIELD, PRODUCT + Key.ENTER);
    await page.find(SHORT_LINK_XPATH);
  });

  test("a QR code requested offline is displayed once online", async () => {
    const page = await engine.open();
    await page.open("/");
    await page.fill(LINK_FIELD, PRODUCT + Key.ENTER);
    await page.find(SHORT_LINK_XPATH);
    page.network.blockedPaths = OFFLINE;
    await page.click(button("Show QR code"));
    await page.expectText("Failed to make the QR code. Please try again.");
    page.network.blockedPaths = null;
    await page.click(button("Show QR code"));
    await page.find(
      '//*[@role="dialog" or self::dialog]//*[@role="img" or self::svg or self::img]',
    );
    await expectNoViolations(page);
  });
});
