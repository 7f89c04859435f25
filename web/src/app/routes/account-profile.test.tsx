import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createBuiltInProvider } from "../../features/session/built-in.ts";
import { problem } from "../../testing/accounts-server.ts";
import { apiKey } from "../../testing/api-key.ts";
import { button, click, fill } from "../../testing/controls.ts";
import { fakeIdentityProvider, providerError, testUsers } from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const EMAIL = ANNA.email;
const PASSWORD = "a long secret";
const NEW = "another secret";

let identity: ReturnType<typeof fakeIdentityProvider>;
/** Calls of the identity provider and of the api, in order. */
let calls: unknown[];

beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
  calls = [];
  vi.spyOn(identity, "reauthenticate").mockImplementation(async (...values) => {
    calls.push(["reauthenticate", ...values]);
  });
  vi.spyOn(identity, "sendEmailChange").mockImplementation(async (email) => {
    calls.push(["sendEmailChange", email]);
  });
  vi.spyOn(identity, "setPassword").mockImplementation(async (change) => {
    calls.push(["setPassword", change]);
    return { hasEndedSessions: true, hasRevokedKeys: change.revokesKeys };
  });
});

async function open(form: string) {
  await openAsUser("/account", { identity, user: { username: "Anna" } });
  await click(form);
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const main = () => within(screen.getByRole("main"));
const servePatch = (reply: (username: string) => unknown) =>
  serve<{ username: string }>(`PATCH /api/users/${ANNA.uid}`, ({ body: { username } }) => reply(username));
const renamed = (username: string) => ({ ...testUsers.get(ANNA.uid), username });

describe("the username", () => {
  test("is changed, and shown", async () => {
    const sent = servePatch(renamed);
    await open("Change username");
    await fill("New username", "  Anna B  {Enter}");
    await findToast("Your username has been changed.");
    expect(sent).toEqual([{ username: "Anna B" }]);
    expect(main().getByText("Anna B")).toBeTruthy();
    expect(document.activeElement).toBe(await button("Change username"));
  });

  test.each([
    ["is taken", () => problem("username-taken"), "This username is already taken."],
    ["was lost", () => HttpResponse.error(), "Failed to change your username. Please try again."],
  ])("that %s is kept in the form with the reason", async (_case, reply, message) => {
    servePatch(reply);
    await open("Change username");
    await fill("New username", "Berta{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(field("New username").value).toBe("Berta");
    expect(main().getByText("Anna")).toBeTruthy();
  });

  test("that was changed in another tab appears when the user comes back", async () => {
    await open("Change username");
    Object.assign(testUsers.get(ANNA.uid) ?? {}, { username: "Berta" });
    dispatchEvent(new Event("focus"));
    expect(await main().findByText("Berta")).toBeTruthy();
  });
});

describe("the email address", () => {
  const SENT = /^We sent a link to berta@example.com\. Open it to confirm/;
  async function change(password = PASSWORD) {
    await open("Change email");
    await fill("New email", "berta@example.com");
    await fill("Current password", `${password}{Enter}`);
  }

  test("is changed by a link sent to the new address, which takes the focus once", async () => {
    servePatch(renamed);
    await change();
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toMatch(SENT);
    expect(calls).toEqual([
      ["reauthenticate", EMAIL, PASSWORD, ""],
      ["sendEmailChange", "berta@example.com"],
    ]);
    expect(main().getByText(EMAIL)).toBeTruthy();
    expect(document.activeElement?.contains(notice)).toBe(true);
    await click("Change username");
    await fill("New username", "Anna B{Enter}");
    expect(await main().findByText("Anna B")).toBeTruthy();
    expect(document.activeElement).toBe(await button("Change username"));
  });

  test("of another account looks like success", async () => {
    vi.spyOn(identity, "sendEmailChange").mockRejectedValue(providerError("auth/email-already-in-use"));
    await change();
    expect((await screen.findByRole("alert")).textContent).toMatch(SENT);
  });

  test.each([
    ["auth/wrong-password", /^This is not your current password\./],
    ["auth/too-many-requests", /^Too many attempts/],
    ["auth/network-request-failed", /^The login service could not be reached/],
    ["auth/internal-error", /^Failed to change your email/],
  ])("is kept after %s", async (code, message) => {
    vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError(code));
    await change("wrong");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(field("New email").value).toBe("berta@example.com");
    expect(calls).toEqual([]);
  });

  test("that is the current one sends nothing, nor does an empty password", async () => {
    await change("");
    expect(await screen.findByText("Please enter your current password")).toBeTruthy();
    await fill("New email", EMAIL.toUpperCase());
    await fill("Current password", `${PASSWORD}{Enter}`);
    expect(await screen.findByText("This is already your email address.")).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

describe("the password", () => {
  async function change(confirmed = NEW) {
    await open("Change password");
    expect(screen.getByText("Changing your password logs you out in all other browsers.")).toBeTruthy();
    await fill("New password", NEW);
    await fill("Confirm new password", confirmed);
    await fill("Current password", `${PASSWORD}{Enter}`);
  }

  test.each([
    [true, "You are logged out in all other browsers."],
    [false, "Other browsers are logged out within 15 minutes."],
  ])("is changed, and the sessions of other browsers end: %s", async (hasEndedSessions, text) => {
    const setPassword = vi.spyOn(identity, "setPassword");
    setPassword.mockResolvedValue({ hasEndedSessions, hasRevokedKeys: false });
    await change();
    await findToast(`SuccessYour password has been changed. ${text}`);
    expect(calls).toEqual([["reauthenticate", EMAIL, PASSWORD, ""]]);
    const wanted = { password: NEW, currentPassword: PASSWORD, revokesKeys: false };
    expect(setPassword.mock.calls).toEqual([[wanted]]);
    expect(screen.queryByLabelText("New password")).toBeNull();
  });

  test("that the provider finds too weak is reported at its field", async () => {
    vi.spyOn(identity, "setPassword").mockRejectedValue(providerError("auth/weak-password"));
    await change();
    expect(await screen.findByText("Please choose a stronger password.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("New password")));
  });

  test("may have been changed if no reply arrived", async () => {
    serve("PUT /api/auth/password", () => HttpResponse.error());
    vi.spyOn(identity, "setPassword").mockImplementation(createBuiltInProvider().setPassword);
    await change();
    expect(await screen.findByText(/^No reply arrived. Your password may have been changed/)).toBeTruthy();
  });

  test("must be entered twice", async () => {
    await change("a typing error");
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    expect(calls).toEqual([]);
  });

  test("revokes the API keys, too, if the user wants", async () => {
    serve("GET /api/keys", () => [apiKey(), apiKey({ name: "Old", expiresAt: "2020-01-01T00:00:00.000Z" })]);
    await open("Change password");
    const checkbox = await screen.findByRole("checkbox", { name: /otherwise ?Nightly script$/ });
    checkbox.click();
    for (const label of ["New password", "Confirm new password"]) await fill(label, NEW);
    await fill("Current password", `${PASSWORD}{Enter}`);
    await waitFor(() => expect(calls.at(-1)).toMatchObject(["setPassword", { revokesKeys: true }]));
  });
});
