import { expect, type Links } from "./links.ts";
import type { States } from "./states.ts";

const NOW = "2026-11-26T12:00:00.000Z";
const INVITATION = "https://tapthru.example/signup?invitation=0123456789abcdef0123456789abcdef";

/** From the dashboard, to states of the console. */
export const OPERATOR_STATES: States<Links> = {
  "a user's page, with the question before they are disabled": async (links) => {
    await links.page.goto("/operator/users?q=demo@tapthru.example");
    await links.page.getByRole("table", { name: "Users" }).getByRole("link").click();
    await links.button("Disable").click();
    await expect(links.button("Cancel")).toBeVisible();
  },
  "an invitation that was created": async (links) => {
    const { page } = links;
    const invitation = { id: 1, email: null, createdAt: NOW, expiresAt: NOW };
    await page.route("/api/operator/invitations", (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ json: [invitation] })
        : route.fulfill({ status: 201, json: { ...invitation, url: INVITATION, isSent: false } }),
    );
    await page.goto("/operator/sign-up");
    await links.button("Invite a user").click();
    await links.button("Create invitation").click();
    await expect(page.getByText(INVITATION)).toBeVisible();
  },
};
