import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { API_KEY_PATTERN } from "@tapthru/proto/rules/api-key";
import { E2E_BASE_URL } from "../browser-options.ts";
import { expect, newProduct, test } from "./links.ts";

test.beforeEach(async ({ links }) => {
  await links.page.goto("/account/developers");
});

test("an API key is shown until the user has saved it, works, and is revoked", async ({ links, page }) => {
  const focused = page.locator(":focus");
  await links.button("New API key").press("Enter");
  await expect(focused).toHaveAccessibleName("Name of the key");
  await page.keyboard.type("A script");
  await page.keyboard.press("Enter");
  await expect(focused).toHaveText("Copy your new API key now");
  const key = (await page.getByText(API_KEY_PATTERN).textContent()) ?? "";
  const useKey = () => page.request.get("/api/links", { headers: { authorization: `Bearer ${key}`, cookie: "" } });
  expect((await useKey()).status()).toBe(200);

  await page.getByRole("main").getByRole("link", { name: "Profile" }).click();
  await links.dialog.getByRole("button", { name: "Cancel" }).click();
  await links.cancelReload();
  await expect(page.getByText(key)).toBeVisible();
  await links.button("I have saved the key").press("Enter");
  await expect(focused).toHaveText("New API key");
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole("list", { name: "API keys" }).getByRole("button").first().press("Enter");
  await links.dialog.getByRole("button", { name: "Revoke" }).press("Enter");
  await expect.poll(async () => (await useKey()).status()).toBe(401);
});

test("a link pattern opens Amazon links until it is revoked, and the text of a second form is not lost", async ({
  links,
  page,
}) => {
  await page.goto("/account/site");
  await links.button("New link pattern").press("Enter");
  await page.getByLabel("Name of the pattern").fill("A blog");
  await page.keyboard.press("Enter");
  const item = page.getByRole("list", { name: "Link patterns" }).getByRole("listitem");
  const prefix = new URL((await item.locator("code").first().textContent()) ?? "");
  const { asin, url } = newProduct();
  const visit = () => page.request.get(`${prefix.pathname}${prefix.search}${url}`, { maxRedirects: 0 });
  expect((await visit()).status()).toBeLessThan(400);
  await expect.poll(async () => (await page.request.get("/api/links")).text()).toContain(asin);

  await links.button("New link pattern").click();
  await page.getByLabel("Name of the pattern").fill("Half a name");
  await item.getByRole("button", { name: /^Revoke/ }).press("Enter");
  await links.dialog.getByRole("button", { name: "Revoke" }).press("Enter");
  await expect(page.getByText("You have no link patterns.")).toBeVisible();
  expect((await visit()).status()).toBe(404);
  await expect(page.getByLabel("Name of the pattern")).toHaveValue("Half a name");
  await links.cancelReload();
  const profile = page.getByRole("main").getByRole("link", { name: "Profile" });
  await profile.click();
  await links.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Name of the pattern")).toHaveValue("Half a name");
  await profile.click();
  await links.button("Discard").click();
  await expect(page).toHaveURL("/account");
});

test("the script for a site opens its Amazon links as short links, and keeps the links as they are written", async ({
  links,
  page,
}) => {
  await page.goto("/account/site");
  await links.button("New link pattern").press("Enter");
  await page.getByLabel("Name of the pattern").fill("A site");
  await page.keyboard.press("Enter");
  const script = await page
    .getByText(/^<script async/)
    .last()
    .textContent();
  const ownScript = script?.replace(new URL(E2E_BASE_URL).origin, "") ?? "";
  const { asin, url } = newProduct();
  const visits: [string, string][][] = [];
  // Chromium does not report the first request of a new tab, so the site itself forwards those of the script.
  const site = createServer(({ url: path = "" }, response) => {
    const { href, pathname, searchParams } = new URL(path, E2E_BASE_URL);
    if (pathname === "/go") visits.push([...searchParams]);
    if (/^\/(go|site\.js)$/.test(pathname)) return response.writeHead(302, { Location: href }).end();
    response.setHeader("Content-Type", "text/html");
    return response.end(`${pathname === "/joined" ? ownScript.replace("data-pattern", "data-x") : ownScript}<a id="plain" href="${url}" rel="sponsored"><b>Stove</b></a>
      <a id="tab" href="${url}" target="_blank">In a tab</a>
      <a id="own" href="${url}" onclick="event.preventDefault()">Own</a>`);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const blog = `http://127.0.0.1:${(site.address() as AddressInfo).port}/stoves`;
  const visit = [
    ["p", expect.stringMatching(/^\w{12}$/)],
    ["page", blog.slice("http://".length)],
    ["url", url],
  ];

  await page.goto(new URL("/joined", blog).href);
  const [unchanged] = await Promise.all([page.context().waitForEvent("page"), page.locator("#tab").click()]);
  await expect(unchanged).toHaveURL(url);
  await page.goto(blog);
  await page.locator("#own").click();
  await expect(page).toHaveURL(blog);
  for (const open of [
    () => page.locator("#plain").click({ button: "middle" }),
    () => page.locator("#tab").press("Enter"),
  ]) {
    const [tab] = await Promise.all([page.context().waitForEvent("page"), open()]);
    await expect(page.locator("#plain")).toHaveAttribute("href", url);
    await expect(tab).toHaveURL(url);
    await tab.close();
  }
  await page.locator("#plain b").click();
  await expect(page).toHaveURL(url);
  expect(visits).toEqual([visit, visit, visit]);
  await expect.poll(async () => (await page.request.get("/api/links")).text()).toContain(asin);
  site.close();
});

test("a webhook receives a signed event, which is listed and sent again", async ({ links, page }) => {
  const received: { id: unknown; signature: unknown; body: unknown }[] = [];
  const receiver = createServer(async (request, response) => {
    const { "webhook-id": id, "webhook-signature": signature } = request.headers;
    received.push({ id, signature, body: JSON.parse(await text(request)) });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await links.button("New webhook").press("Enter");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
  await page.getByLabel("Address", { exact: true }).fill(url);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await links.button("I have saved the secret").press("Enter");
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);

  const shortCode = await links.create();
  await expect.poll(() => received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    signature: expect.stringMatching(/^v1,/),
    body: { type: "link.created", data: { shortCode } },
  });
  const item = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").first();
  await links.button("Show events").click();
  await expect(async () => {
    await links.button("Refresh").click();
    await expect(item).toContainText("Delivered. Response 200. 1 attempt.", { timeout: 10_000 });
  }).toPass();
  await links.button("Send again").click();
  await expect.poll(() => received.map(({ id }) => id)).toEqual([received[0]?.id, received[0]?.id]);
  await links.button(`Delete ${url}`).press("Enter");
  await links.dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByText("You have no webhooks.")).toBeVisible();
  receiver.close();
});
