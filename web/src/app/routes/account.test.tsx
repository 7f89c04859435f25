import type { User } from "@tapthru/proto/accounts";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createBuiltInProvider } from "../../features/session/built-in.ts";
import { button, check, click, field, fill, heading, section, textsOf } from "../../testing/controls.ts";
import { apiKey } from "../../testing/examples.ts";
import { fakeIdentityProvider, providerError, testUsers } from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const EMAIL = ANNA.email;
const PASSWORD = "a long secret";
const NEW = "another secret";

let identity: ReturnType<typeof fakeIdentityProvider>;
/** Calls of the identity provider, in order. */
let calls: unknown[];

beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
  calls = [];
  serve("GET /api/compliance-report", () => ({ linkCount: 0, violationCount: 0, violations: [] }));
  for (const method of ["reauthenticate", "sendEmailChange", "setPassword"] as const) {
    const original = identity[method] as (...values: unknown[]) => Promise<never>;
    vi.spyOn(identity, method).mockImplementation(async (...values: unknown[]) => {
      calls.push([method, ...values]);
      return original(...values);
    });
  }
});

async function open(form: string) {
  await openAsUser("/account", { identity, user: { username: "Anna" } });
  await click(form);
}
const main = () => within(screen.getByRole("main"));
const servePatch = (reply: (username: string) => unknown) =>
  serve<{ username: string }>(`PATCH /api/users/${ANNA.uid}`, ({ body: { username } }) => reply(username));
const renamed = (username: string) => ({ ...testUsers.get(ANNA.uid), username });

test("the username is changed, and shown; a change in another tab appears when the user comes back", async () => {
  const sent = servePatch(renamed);
  await open("Change username");
  await fill("New username", "  Anna B  {Enter}");
  await findToast("Your username has been changed.");
  expect(sent).toEqual([{ username: "Anna B" }]);
  expect(main().getByText("Anna B")).toBeTruthy();
  expect(document.activeElement).toBe(await button("Change username"));
  Object.assign(testUsers.get(ANNA.uid) ?? {}, { username: "Berta" });
  dispatchEvent(new Event("focus"));
  expect(await main().findByText("Berta")).toBeTruthy();
});

test("a username whose change was saved after the page was left is shown on it", async () => {
  const { released, release } = heldReplies();
  servePatch((username) => released.then(() => renamed(username)));
  await open("Change username");
  await fill("New username", "Anna B{Enter}");
  await userEvent.click(await screen.findByRole("link", { name: "Security" }));
  await screen.findByRole("heading", { name: "Password" });
  release();
  await findToast("Your username has been changed.");
  await userEvent.click(screen.getByRole("link", { name: "Profile" }));
  expect(await main().findByText("Anna B")).toBeTruthy();
});

test("the name on links is changed with Amazon's sentence, and removed again", async () => {
  const sent = serve<object>(`PATCH /api/users/${ANNA.uid}`, ({ body }) => ({ ...testUsers.get(ANNA.uid), ...body }));
  await open("Change the name on your links");
  await check(/As an Amazon Associate/);
  await fill("Name on your links", " Anna's kitchen {Enter}");
  await findToast("Saved. Your links follow in a moment.");
  expect(main().getByText("Anna's kitchen")).toBeTruthy();
  await click("Change the name on your links");
  await fill("Name on your links", "{Enter}");
  expect(await main().findByText("None")).toBeTruthy();
  expect(sent).toEqual([
    { displayedName: "Anna's kitchen", showsDisclosure: true },
    { displayedName: null, showsDisclosure: true },
  ]);
});

describe("the email address", () => {
  const SENT = /^We sent a link to berta@example.com\. Open it to confirm/;
  async function change(password = PASSWORD) {
    await open("Change email");
    await fill("New email", "berta@example.com");
    await fill("Current password", `${password}{Enter}`);
  }

  test("a change to another account's email address looks like success", async () => {
    vi.spyOn(identity, "sendEmailChange").mockRejectedValue(providerError("auth/email-already-in-use"));
    await change();
    expect((await screen.findByRole("alert")).textContent).toMatch(SENT);
  });

  test.each([
    ["auth/wrong-password", /^This is not your current password\./],
    ["auth/internal-error", /^Failed to change your email/],
  ])("the email address stays after %s", async (code, message) => {
    vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError(code));
    await change("wrong");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(field("New email").value).toBe("berta@example.com");
    expect(calls).toEqual([]);
  });

  test("sends neither the current email address nor an empty password", async () => {
    await change("");
    expect(await screen.findByText("Please enter your current password")).toBeTruthy();
    await fill("New email", EMAIL.toUpperCase());
    await fill("Current password", `${PASSWORD}{Enter}`);
    expect(await screen.findByText("This is already your email address.")).toBeTruthy();
    expect(calls).toEqual([]);
  });

  test("people without a password can change neither email address nor password", async () => {
    await openAsUser("/account", { identity: fakeIdentityProvider({ ...ANNA, hasPassword: false }) });
    expect(await button("Change username")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Change (email|password)$/ })).toBeNull();
  });
});

describe("the password", () => {
  async function change(confirmed = NEW) {
    await fill("New password", NEW);
    await fill("Confirm new password", confirmed);
    await fill("Current password", `${PASSWORD}{Enter}`);
  }

  test.each([
    [true, "You are logged out in all other browsers."],
    [false, "Other browsers are logged out within 15 minutes."],
  ])("a changed password ends the sessions of other browsers: %s", async (hasEndedSessions, text) => {
    const setPassword = vi.spyOn(identity, "setPassword");
    setPassword.mockResolvedValue({ hasEndedSessions, hasRevokedKeys: false });
    await open("Change password");
    expect(screen.getByText("Changing your password logs you out in all other browsers.")).toBeTruthy();
    await change();
    await findToast(`SuccessYour password has been changed. ${text}`);
    expect(calls).toEqual([["reauthenticate", EMAIL, PASSWORD, ""]]);
    const wanted = { password: NEW, currentPassword: PASSWORD, revokesKeys: false };
    expect(setPassword.mock.calls).toEqual([[wanted]]);
    expect(screen.queryByLabelText("New password")).toBeNull();
  });

  test("says that the password may have changed if no reply arrived", async () => {
    serve("PUT /api/auth/password", () => HttpResponse.error());
    vi.spyOn(identity, "setPassword").mockImplementation(createBuiltInProvider().setPassword);
    await open("Change password");
    await change();
    expect(await screen.findByText(/^No reply arrived. Your password may have been changed/)).toBeTruthy();
  });

  test("the password must be entered twice, and its change revokes the API keys if the user wants", async () => {
    serve("GET /api/keys", () => [apiKey(), apiKey({ name: "Old", expiresAt: "2020-01-01T00:00:00.000Z" })]);
    await open("Change password");
    await change("a typing error");
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    expect(calls).toEqual([]);
    await check(/otherwise ?Nightly script$/);
    await change();
    await waitFor(() => expect(calls.at(-1)).toMatchObject(["setPassword", { revokesKeys: true }]));
  });
});

describe("the list of pages", () => {
  const list = async () =>
    within(await screen.findByRole("navigation", { name: "Your account" })).findAllByRole("link");

  test("marks the current page, and has Amazon Ads where it is configured", async () => {
    await openAsUser("/account/security", { changes: { hasAmazonAds: true } });
    const links = await list();
    expect(links.at(-1)?.getAttribute("href")).toBe("/amazon-ads-auth");
    const current = () => textsOf(links.filter((link) => link.hasAttribute("aria-current")));
    expect(current()).toEqual(["Security"]);
    await userEvent.click(screen.getByRole("link", { name: "Data" }));
    await heading("Your data");
    expect(current()).toEqual(["Data"]);
  });

  test("the list of pages is beside the guide to sharing for users, not for visitors", async () => {
    const visitor = fakeIdentityProvider();
    await renderApp("/share", { identity: visitor });
    await heading("Share links from other apps");
    expect(screen.queryByRole("navigation", { name: "Your account" })).toBeNull();
    visitor.setIdentity(ANNA);
    const current = (await list()).find((link) => link.hasAttribute("aria-current"));
    expect(current?.textContent).toBe("Integrations");
  });
});

describe("the weekly email", () => {
  const openNotifications = (user: Partial<User>) => openAsUser("/account/notifications", { identity, user });
  const toggle = async () => (await section("Weekly email")).findByRole("checkbox", { name: /weekly email/ });

  test("switches the weekly email off and on, or shows it as it is saved", async () => {
    const user = () => testUsers.get(ANNA.uid);
    serve<object>(`PATCH /api/users/${ANNA.uid}`, ({ body }) => Object.assign(user() ?? {}, body));
    await openNotifications({ weeklyEmail: "on" });
    expect(await toggle()).toHaveProperty("checked", true);
    await userEvent.click(await toggle());
    await findToast("You will not get the weekly email any more.");
    expect(user()?.weeklyEmail).toBe("off");
    expect(await toggle()).toHaveProperty("checked", false);
    await userEvent.click(await toggle());
    await findToast("You will get the weekly email.");
    serve(`PATCH /api/users/${ANNA.uid}`, () => failure());
    await userEvent.click(await toggle());
    await findToast("Failed to save this. Please try again.");
    expect(await toggle()).toHaveProperty("checked", true);
  });

  test("needs an address that is confirmed: it gets a link, and is confirmed when the user comes back", async () => {
    await openNotifications({ weeklyEmail: "on", emailIsVerified: false });
    await screen.findByText(/^Please confirm that .* is yours\. Until then you can't give access/);
    await click("Confirm my address");
    const sent = await screen.findByText(`We sent a link to ${EMAIL}. Open it, then come back to this page.`);
    Object.assign(testUsers.get(ANNA.uid) ?? {}, { emailIsVerified: true });
    dispatchEvent(new Event("focus"));
    await waitFor(() => expect(sent.isConnected).toBe(false));
  });

  test.each([
    ["that the mail server refused", { weeklyEmail: "refused" }, /does not exist or takes no emails/],
    ["without a mail server", { weeklyEmail: null }, "This site sends no emails."],
    ["without a mail server that could confirm an address", { emailIsVerified: false }, /ask its operator to confirm/],
  ] as const)("%s is not sent, and the page says why", async (_case, changes, text) => {
    await openNotifications(changes);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole("checkbox", { checked: true })).toBeNull();
  });
});
