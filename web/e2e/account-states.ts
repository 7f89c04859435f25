import { clientIdOf } from "@tapthru/proto/oauth";
import { E2E_BASE_URL } from "../browser-options.ts";
import { expect, type Links } from "./links.ts";
import type { States } from "./states.ts";

const WORD = "Wirelessnoisecancellingheadphones".repeat(4);

/** Adds a domain, which waits for its DNS. */
async function addDomain(links: Links): Promise<string> {
  const host = `go-${crypto.randomUUID().slice(0, 8)}.anna.example`;
  await links.page.goto("/account/domains");
  await links.button("Add domain").click();
  await links.page.getByRole("textbox", { name: "Domain" }).fill(host);
  await links.page.keyboard.press("Enter");
  await expect(links.page.getByRole("list", { name: "Your domains" })).toContainText("Waiting for DNS");
  return host;
}

/** From the dashboard, to states of the pages of an account. */
export const ACCOUNT_STATES: States<Links> = {
  "the forms of the profile": async (links) => {
    await links.page.goto("/account");
    for (const name of ["Change username", "Change email", "Change password"]) await links.button(name).first().click();
    await links.page.keyboard.press("Enter");
    await expect(links.page.getByText("Please enter your current password")).toBeVisible();
  },
  "the deletion of an account, with a validation message": async (links) => {
    await links.page.goto("/account/data");
    await links.button("Delete account").click();
    await links.page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
    await expect(links.page.getByText("This is not your account's email address.")).toBeVisible();
  },
  "a program that asks to connect": async ({ page }) => {
    const uri = `https://${WORD.slice(0, 60).toLowerCase()}.example/`;
    const request = {
      ...{ response_type: "code", code_challenge_method: "S256", scope: "links:read", redirect_uri: uri },
      resource: `${E2E_BASE_URL}/api/mcp`,
      client_id: clientIdOf({ client_name: WORD.slice(0, 50), redirect_uris: [uri] }),
    };
    await page.goto(`/connect?${new URLSearchParams(request)}`);
    await expect(page.getByRole("button", { name: "Don't allow" })).toBeVisible();
  },
  "a new API key": async (links) => {
    await links.page.goto("/account/developers");
    await links.button("New API key").click();
    await links.page.keyboard.type(`A script with a long name ${"x".repeat(20)}`);
    await links.page.keyboard.press("Enter");
    await expect(links.page.getByText("Copy your new API key now")).toBeFocused();
  },
  "the stores, with a warning, an error and failures": async (links) => {
    const { page } = links;
    const field = (name: string) => page.getByRole("textbox", { name });
    await page.goto("/account/stores");
    await links.button("More stores").click();
    await field("amazon.de (Germany)").fill("me-22");
    await field("amazon.fr (France)").fill("not a tag");
    await page.route("**/api/onelink-stores", (route) => route.abort());
    await page.getByText("Show the stores of OneLink").click();
    await page.getByRole("checkbox", { name: "amazon.es (Spain)" }).click();
    await page.route("**/api/channels/*/tags", (route) => route.abort());
    await field("amazon.it (Italy)").fill("me-21");
    await links.button("Save").click();
    await links.button("Save anyway").click();
    await expect(page.getByText("Not saved. Please try again.").first()).toBeVisible();
  },
  "the routing of visitors after a failure": async ({ page }) => {
    await page.goto("/account/stores");
    await page.route("**/api/routing", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    const group = page.getByRole("group", { name: "Send visitors to their own store" });
    await group.getByRole("radio", { name: /^On\b/ }).click();
    await expect(page.getByText("Not saved. Please try again.", { exact: true })).toBeVisible();
  },
  "a domain that waits for its DNS": addDomain,
  "a connection to Amazon Ads with long names": async (links) => {
    const connection = {
      accountName: WORD,
      accountEmail: `${WORD}@x.example`,
      connectedAt: "2026-09-30T12:00:00.000Z",
    };
    await links.page.route(/\/api\/amazon-ads\/connection$/, (route) => route.fulfill({ json: { connection } }));
    await links.page.goto("/amazon-ads-auth");
    await links.button("Disconnect").click();
    await expect(links.dialog).toBeVisible();
  },
};

/** A new login, which ends the session that tests of the same account share. */
export const LOGIN_STATES: States<Links> = {
  "two-factor login and a new passkey": async (links) => {
    await links.page.goto("/account/security");
    await links.button("Add a passkey").click();
    await links.button("Turn on").click();
    await links.page.getByLabel("Current password", { exact: true }).fill("a long secret");
    await links.page.keyboard.press("Enter");
    await expect(links.page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  },
};
