import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

test("a webhook is created and deleted by keyboard, and its secret is shown once; each step is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  const url = "https://hooks.a-long-name-of-a-host.example/in?key=abcdefghijklmnopqrstuvwxyz";
  await accounts.signUp(newAccount());
  await page.goto("/account/developers");
  await expect(page.getByText("You have no webhooks.")).toBeVisible();
  const focused = page.locator(":focus");
  await accounts.button("New webhook").press("Enter");
  await expect(focused).toHaveAccessibleName("Address");
  await page.keyboard.type("http://10.0.0.1/");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Please enter an https address")).toBeVisible();
  await expectAccessiblePage(page);

  await page.getByLabel("Address", { exact: true }).fill(url);
  await page.keyboard.press("Enter");
  await expect(focused).toHaveText("Copy the secret of your webhook now");
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectAccessiblePage(page);
  await accounts.button("I have saved the secret").press("Enter");
  await expect(focused).toHaveText("New webhook");
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);

  await accounts.button("Change events").press("Enter");
  await expect(focused).toHaveAccessibleName(/^Link created/);
  await page.keyboard.press("Space");
  await expectAccessiblePage(page);
  await accounts.button("Save").press("Enter");
  await expect(focused).toHaveText("Change events");
  await expect(page.getByText("Link changed · Link deleted · Link needs attention · Import finished")).toBeVisible();

  await accounts.button(`Delete ${url}`).press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByText("You have no webhooks.")).toBeVisible();
});

test("a webhook receives a signed event, which is listed and sent again; the list is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  const received: { id: unknown; signature: unknown; body: unknown }[] = [];
  const receiver = createServer(async (request, response) => {
    const { "webhook-id": id, "webhook-signature": signature } = request.headers;
    received.push({ id, signature, body: JSON.parse(await text(request)) });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;

  await accounts.signUp(newAccount());
  await page.goto("/account/developers");
  await accounts.button("New webhook").click();
  await page.getByLabel("Address", { exact: true }).fill(url);
  await page.keyboard.press("Enter");
  await accounts.button("I have saved the secret").click();
  const created = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ url: "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20" });
    return (await fetch("/api/generate", { method: "POST", headers, body })).json();
  });
  await expect.poll(() => received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    signature: expect.stringMatching(/^v1,/),
    body: { type: "link.created", data: { shortCode: created.shortCode } },
  });

  const item = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").first();
  await expect(item).toContainText("Enabled");
  await accounts.button("Show events").click();
  await accounts.button("Refresh").click();
  await expect(item).toContainText("Delivered. Response 200. 1 attempt.");
  await expectAccessiblePage(page);

  const deleteButton = accounts.button(`Delete ${url}`);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [webhook, event, button] = await Promise.all(
      [item, item.getByRole("list"), deleteButton].map((part) => part.boundingBox()),
    );
    expect(event?.width, "events as wide as the webhook").toBe(webhook?.width);
    expect(event?.y, "events below the buttons").toBeGreaterThan(button?.y ?? Number.NaN);
  }
  await accounts.button("Send again").click();
  await expect.poll(() => received.map(({ id }) => id)).toEqual([received[0]?.id, received[0]?.id]);
  receiver.close();
});
