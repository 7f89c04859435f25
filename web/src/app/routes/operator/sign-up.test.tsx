import { ERRORS } from "@tapthru/proto/errors";
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { problem } from "../../../testing/accounts-server.ts";
import { click, fill } from "../../../testing/controls.ts";
import { openAsUser } from "../../../testing/open-as-user.ts";
import { openAsOperator } from "../../../testing/operator-server.ts";
import { serve } from "../../../testing/serve.ts";

const CALLBACK = "https://tapthru.example/api/auth/callback/oidc";

beforeEach(() => {
  serve("GET /api/operator/invitations", () => []);
  serve("GET /api/operator/login", () => ({
    provider: "built-in",
    signUp: "invitation",
    sendsEmail: false,
    openIdConnect: { issuer: "https://id.example", name: "Example Corp" },
    openIdCallbackUrl: CALLBACK,
  }));
});

test.each([
  [true, "Stored by this site"],
  [false, "Not used"],
])("an operator sees how people log in, and what to enter at the OpenID provider", async (hasPasswordLogin, text) => {
  await openAsOperator("/operator/sign-up", { hasPasswordLogin });
  expect(await screen.findByText(CALLBACK)).toBeTruthy();
  for (const each of [
    text,
    "With an invitation only",
    "Not sent: SMTP_FROM is not set. Users cannot reset a password or confirm an address.",
    "Example Corp, https://id.example",
  ]) {
    expect(screen.getByText(each)).toBeTruthy();
  }
  const tabs = within(screen.getByRole("navigation", { name: "For operators" }));
  expect(tabs.getByRole("link", { current: "page" }).textContent).toBe("Sign-up");
});

test("other users see neither the page nor the link to it", async () => {
  await openAsUser("/operator/sign-up");
  expect(await screen.findByRole("heading", { name: "404 Page Not Found" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Operator" })).toBeNull();
});

test("failures are shown", async () => {
  serve("GET /api/operator/login", () => problem("unavailable"));
  serve("POST /api/operator/invitations", () => problem("too-many-invitations"));
  await openAsOperator("/operator/sign-up");
  await click("Invite a user");
  await fill("Email (optional)", "guest@{Enter}");
  expect(await screen.findByText("Please enter a valid email address")).toBeTruthy();
  await fill("Email (optional)", "{Enter}");
  expect(await screen.findByText(ERRORS["too-many-invitations"].message)).toBeTruthy();
  expect(await screen.findByText("The settings could not be loaded.")).toBeTruthy();
});
