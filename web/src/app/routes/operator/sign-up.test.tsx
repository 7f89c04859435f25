import { messages } from "@tapthru/proto/rules/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { Config } from "../../../lib/config.ts";
import { problem, serveAccounts } from "../../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../../testing/fake-identity-provider.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { server } from "../../../testing/server.ts";
import { findToast } from "../../../testing/toast.ts";

const ANNA = identityFor("anna@example.com");
const CALLBACK = "https://tapthru.example/api/auth/callback/oidc";
const LINK = "https://tapthru.example/signup?invitation=a-token-of-20-letters";

const invitation = (id: number, email: string | null) => ({
  id,
  email,
  createdAt: "2026-11-20T12:00:00.000Z",
  expiresAt: "2026-11-27T12:00:00.000Z",
});

let user: ReturnType<typeof userEvent.setup>;
let invitations: ReturnType<typeof invitation>[];
let sent: unknown[];
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  invitations = [];
  sent = [];
  accounts = serveAccounts(ANNA.email);
  Object.assign(accounts.users.get(ANNA.uid) ?? {}, { isOperator: true });
  server.use(
    http.get("/api/operator/login", () =>
      HttpResponse.json({
        provider: "built-in",
        signUp: "invitation",
        sendsEmail: false,
        openIdConnect: { issuer: "https://id.example", name: "Example Corp" },
        openIdCallbackUrl: CALLBACK,
      }),
    ),
    http.get("/api/operator/invitations", () => HttpResponse.json(invitations)),
    http.post("/api/operator/invitations", async ({ request }) => {
      const body = (await request.json()) as { email?: string };
      sent.push(body);
      const created = invitation(1, body.email ?? null);
      invitations = [created];
      return HttpResponse.json({ ...created, url: LINK, isSent: body.email !== undefined }, { status: 201 });
    }),
    http.delete("/api/operator/invitations/:id", ({ params }) => {
      invitations = invitations.filter(({ id }) => id !== Number(params.id));
      return HttpResponse.json({});
    }),
  );
});

const open = (changes: Partial<Config> = {}) =>
  renderApp("/operator/sign-up", { identity: fakeIdentityProvider(ANNA), changes });
async function invite(email = "") {
  await user.click(await screen.findByRole("button", { name: "Invite a user" }));
  await user.type(screen.getByLabelText("Email (optional)"), `${email}{Enter}`);
}

test("an operator sees how people log in, and what to enter at the OpenID provider", async () => {
  await open();
  expect(await screen.findByText(CALLBACK)).toBeTruthy();
  for (const text of [
    "Stored by this site",
    "With an invitation only",
    "Not sent: SMTP_FROM is not set. Users cannot reset a password or confirm an address.",
    "Example Corp, https://id.example",
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  const tabs = within(screen.getByRole("navigation", { name: "For operators" }));
  expect(tabs.getByRole("link", { current: "page" }).textContent).toBe("Sign-up");
});

test("an operator sees that passwords are not used", async () => {
  await open({ hasPasswordLogin: false });
  expect(await screen.findByText("Not used")).toBeTruthy();
});

test("other users see neither the page nor the link to it", async () => {
  Object.assign(accounts.users.get(ANNA.uid) ?? {}, { isOperator: false });
  await open();
  expect(await screen.findByRole("heading", { name: "404 Page Not Found" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Operator" })).toBeNull();
});

test("an invitation is shown once, and listed", async () => {
  await open();
  await invite();
  expect(await screen.findByText(LINK)).toBeTruthy();
  expect(screen.getByText("It is not shown again. Send it to the person that you invite.")).toBeTruthy();
  expect(sent).toEqual([{}]);
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByText(LINK)).toBeNull();
  expect(await screen.findByText(/^Created Nov 20, 2026, expires Nov 27, 2026$/)).toBeTruthy();
});

test("an invitation is sent to an email address", async () => {
  await open();
  await invite("guest@");
  expect(await screen.findByText("Please enter a valid email address")).toBeTruthy();
  await user.type(screen.getByLabelText("Email (optional)"), "example.com{Enter}");
  expect(
    await screen.findByText(
      "We sent it to guest@example.com. You can also pass it on yourself. It is not shown again.",
    ),
  ).toBeTruthy();
  expect(sent).toEqual([{ email: "guest@example.com" }]);
});

test("an invitation is deleted after a question", async () => {
  invitations = [invitation(7, "guest@example.com")];
  await open();
  await user.click(await screen.findByRole("button", { name: "Delete guest@example.com" }));
  const dialog = within(screen.getByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await findToast("The invitation has been deleted.");
  expect(await screen.findByText("There are no open invitations.")).toBeTruthy();
});

test("failures are shown", async () => {
  server.use(
    http.get("/api/operator/login", () => problem("unavailable")),
    http.post("/api/operator/invitations", () => problem("too-many-invitations")),
  );
  await open();
  await invite();
  expect(await screen.findByText(messages.tooManyInvitations)).toBeTruthy();
  await waitFor(() => expect(screen.getByText("The settings could not be loaded.")).toBeTruthy());
});
