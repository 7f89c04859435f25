import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { API_KEY_PATTERN } from "@tapthru/proto/rules/api-key";
import { expect, test } from "./links.ts";

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
  await item.getByText("More", { exact: true }).click();
  await links.button(`Delete ${url}`).press("Enter");
  await links.dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByText("You have no webhooks.")).toBeVisible();
  receiver.close();
});
