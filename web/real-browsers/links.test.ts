import { Key } from "selenium-webdriver";
import { expect, test } from "vitest";
import { newProduct } from "../e2e/product.ts";
import { DASHBOARD, signUp } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";
import { button, DIALOG, field, heading, link } from "./elements.ts";
import { DEVICES, inEachEngine } from "./engines.ts";
import { OFFLINE } from "./network.ts";
import type { Page } from "./page.ts";

const NEW_LINK_FIELD = '//*[@placeholder="Paste your Amazon link here..."]';

/** @returns the path of the link's page */
async function createLink(page: Page, { asin, url }: ReturnType<typeof newProduct>) {
  await page.open("/dashboard");
  await page.click(`${button("Create link")}|${link("Create link")}`);
  await page.expectUrl("/link-creation");
  await page.find(NEW_LINK_FIELD);
  await expectNoViolations(page);
  await page.fill(NEW_LINK_FIELD, url + Key.ENTER);
  await page.expectText("Redirecting to link details...");
  await page.find(heading(`Stand-in product ${asin}`));
  return new URL(await page.url()).pathname;
}

inEachEngine((engine) => {
  test.for(DEVICES)(
    "a link is created, renamed, listed and deleted on $device",
    async ({ phone }) => {
      const page = await engine.open(phone);
      await signUp(page);
      await page.expectText("You haven't created any links yet.");
      const product = newProduct();
      const path = await createLink(page, product);
      expect(path).toMatch(/^\/link\/[2-9a-z]{7}$/);
      await page.expectLoadedImage("//main//img");
      await expectNoViolations(page);

      await page.click(button("Edit nickname"));
      await page.fill(field("Nickname (only you see this)"), "My lamp");
      await page.click(button("Save"));
      await page.find(heading("My lamp"));
      await page.expectFocus(button("Edit nickname"));
      await page.reload();
      await page.find(heading("My lamp"));

      await page.click(button("< Back to List"));
      await page.find(DASHBOARD);
      await page.find(link("My lamp"));
      await expectNoViolations(page);
      await page.click(button("Copy link of My lamp"));
      await page.expectText("Copied!\nLink copied to clipboard");
      await page.paste(field("Search your links"));
      await page.expectValue(field("Search your links"), page.urlOf(path.replace("/link/", "/l/")));
      await page.fill(field("Search your links"), "lamp");
      await page.expectUrl("/dashboard?q=lamp");
      await page.click(link("My lamp"));

      await page.click(button("Delete"));
      await page.find(DIALOG);
      await expectNoViolations(page);
      await page.pressKeys(Key.ESCAPE);
      await page.expectMissing(DIALOG);
      await page.expectFocus(button("Delete"));
      await page.click(button("Delete"));
      await page.click(button("Delete", DIALOG));
      await page.expectText("Link deleted\nThe link has been successfully deleted.");
      await page.expectText('No links match "lamp".');
      await page.click(button("Clear search"));
      await page.expectText("You haven't created any links yet.");
    },
  );

  // A page of its own: after this failure, WebKitGTK also fails to load the next page with one of the same scripts.
  test("a page whose script fails to load shows an error", async () => {
    const page = await engine.open();
    await signUp(page);
    await page.find(DASHBOARD);
    page.network.blockedPaths = OFFLINE;
    await page.click(link("Privacy policy"));
    await page.find(heading("Something went wrong"));
    await expectNoViolations(page);
    await page.find(button("Reload"));
  });

  test("a name saved offline stays in its form", async () => {
    const page = await engine.open();
    await signUp(page);
    await createLink(page, newProduct());
    page.network.blockedPaths = OFFLINE;
    await page.click(button("Edit nickname"));
    await page.fill(field("Nickname (only you see this)"), "Typed on a train");
    await page.click(button("Save"));
    await page.expectText("Failed to update link");
    await page.expectValue(field("Nickname (only you see this)"), "Typed on a train");
    page.network.blockedPaths = null;
    await page.click(button("Save"));
    await page.find(heading("Typed on a train"));
  });
});
