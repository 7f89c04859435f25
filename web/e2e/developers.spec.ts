import { hash } from "node:crypto";
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

test("a program that knows only the address of MCP is let in, and fetches its key", async ({
  links,
  page,
  baseURL,
}) => {
  const json = async (path: string, options: object = {}) =>
    (await page.request.fetch(new URL(path, baseURL).href, { headers: { cookie: "" }, ...options })).json();
  const { resource, authorization_servers } = await json("/.well-known/oauth-protected-resource/api/mcp");
  const server = await json(`${authorization_servers[0]}/.well-known/oauth-authorization-server`);
  const redirect_uri = "https://program.example/callback";
  const program = { client_name: "Program", redirect_uris: [redirect_uri] };
  const { client_id } = await json(server.registration_endpoint, { method: "POST", data: program });
  const code_verifier = "v".repeat(43);
  const request = {
    ...{ response_type: "code", client_id, redirect_uri, resource, state: "s", scope: "links:read clicks:read" },
    ...{ code_challenge: hash("sha256", code_verifier, "base64url"), code_challenge_method: "S256" },
  };
  await page.route(`${redirect_uri}?*`, (route) => route.fulfill({ body: "Connected" }));
  await page.goto(`${server.authorization_endpoint}?${new URLSearchParams(request)}`);
  await links.button("Allow").click();
  await page.getByText("Connected").waitFor();
  const { code = "", ...reply } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(reply).toEqual({ state: "s", iss: server.issuer });
  const form = { grant_type: "authorization_code", client_id, redirect_uri, code, code_verifier };
  const { access_token, scope } = await json(server.token_endpoint, { method: "POST", form });
  expect(scope).toBe("links:read clicks:read");
  expect(await json("/api/links", { headers: { authorization: `Bearer ${access_token}`, cookie: "" } })).toEqual([]);
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
  await links.button(`Show events ${url}`).click();
  await expect(async () => {
    await links.button("Refresh").click();
    await expect(item).toContainText("Delivered. Response 200. 1 attempt.", { timeout: 10_000 });
  }).toPass();
  await links.button(/^Send again /).click();
  await expect.poll(() => received.map(({ id }) => id)).toEqual([received[0]?.id, received[0]?.id]);
  await item.getByText("More", { exact: true }).click();
  await links.button(`Delete ${url}`).press("Enter");
  await links.dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByText("You have no webhooks.")).toBeVisible();
  receiver.close();
});
