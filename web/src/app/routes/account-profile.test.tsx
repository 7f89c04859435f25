import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createBuiltInProvider } from "../../features/session/built-in.ts";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { apiKey } from "../../testing/api-key.ts";
import { fakeIdentityProvider, identityFor, providerError } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";
// Imported here, so that it does not take time of the first test.
import "./account.tsx";

const EMAIL = "anna@example.com";
const { uid } = identityFor(EMAIL);
const PASSWORD = "a long secret";

let user: ReturnType<typeof userEvent.setup>;
let identity: ReturnType<typeof fakeIdentityProvider>;
let accounts: ReturnType<typeof serveAccounts>;
/** Calls of the identity provider and of the api, in order. */
let calls: unknown[];

beforeEach(async () => {
  user = userEvent.setup();
  identity = fakeIdentityProvider(identityFor(EMAIL));
  accounts = serveAccounts(EMAIL);
  Object.assign(accounts.users.get(uid) ?? {}, { username: "Anna" });
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
  server.use(http.get("/api/sessions", () => HttpResponse.json([])));
  await renderApp("/account", { identity });
});

const button = (name: string) => screen.findByRole("button", { name });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const main = () => within(screen.getByRole("main"));

function servePatch(reply: (body: { username: string }) => Response) {
  const bodies: unknown[] = [];
  server.use(
    http.patch(`/api/users/${uid}`, async ({ request }) => {
      const body = (await request.json()) as { username: string };
      bodies.push(body);
      return reply(body);
    }),
  );
  return bodies;
}
const renamed = ({ username }: { username: string }) => HttpResponse.json({ ...accounts.users.get(uid), username });

async function type(label: string, text: string) {
  await user.clear(field(label));
  await user.type(field(label), text);
}

describe("the username", () => {
  beforeEach(async () => {
    await user.click(await button("Change username"));
  });

  test("is changed, and shown", async () => {
    const bodies = servePatch(renamed);
    await waitFor(() => expect(document.activeElement).toBe(field("New username")));
    await type("New username", "  Anna B  {Enter}");
    await waitFor(() => expect(toast()).toBe("Your username has been changed."));
    expect(bodies).toEqual([{ username: "Anna B" }]);
    expect(main().getByText("Anna B")).toBeTruthy();
    expect(screen.queryByLabelText("New username")).toBeNull();
    expect(document.activeElement).toBe(await button("Change username"));
  });

  test("that is taken is reported at the field, which keeps the text and the focus", async () => {
    servePatch(() => problem("username-taken"));
    await type("New username", "Berta{Enter}");
    expect(await screen.findByText("This username is already taken.")).toBeTruthy();
    expect(field("New username").value).toBe("Berta");
    await waitFor(() => expect(document.activeElement).toBe(field("New username")));
  });

  test("that is invalid sends no request", async () => {
    const bodies = servePatch(renamed);
    await type("New username", "ab{Enter}");
    expect(await screen.findByText("Username must be at least 3 characters")).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  test("is kept after a lost connection", async () => {
    servePatch(() => HttpResponse.error());
    await type("New username", "Berta{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to change your username. Please try again.");
    expect(field("New username").value).toBe("Berta");
    expect(main().getByText("Anna")).toBeTruthy();
  });

  test("is not changed by Escape and a question, which returns the focus", async () => {
    const bodies = servePatch(renamed);
    await type("New username", "Berta{Escape}");
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByLabelText("New username")).toBeNull();
    expect(document.activeElement).toBe(await button("Change username"));
    expect(bodies).toEqual([]);
  });
});

test("a name changed in another tab appears when the user comes back", async () => {
  await button("Change username");
  Object.assign(accounts.users.get(uid) ?? {}, { username: "Berta" });
  dispatchEvent(new Event("focus"));
  expect(await main().findByText("Berta")).toBeTruthy();
});

describe("the email address", () => {
  const SENT = /^We sent a link to berta@example.com\. Open it to confirm/;
  beforeEach(async () => {
    await user.click(await button("Change email"));
    await type("New email", "berta@example.com");
  });

  test("is changed by a link sent to the new address, after the password is checked", async () => {
    await type("Current password", `${PASSWORD}{Enter}`);
    expect((await screen.findByRole("alert")).textContent).toMatch(SENT);
    expect(calls).toEqual([
      ["reauthenticate", EMAIL, PASSWORD, ""],
      ["sendEmailChange", "berta@example.com"],
    ]);
    expect(main().getByText(EMAIL)).toBeTruthy();
  });

  test("whose link was sent does not take the focus again", async () => {
    servePatch(renamed);
    await type("Current password", `${PASSWORD}{Enter}`);
    const notice = await screen.findByRole("alert");
    expect(document.activeElement?.contains(notice)).toBe(true);
    await user.click(await button("Change username"));
    await type("New username", "Anna B{Enter}");
    expect(await main().findByText("Anna B")).toBeTruthy();
    expect(document.activeElement).toBe(await button("Change username"));
  });

  test("of another account looks like success", async () => {
    vi.spyOn(identity, "sendEmailChange").mockRejectedValue(providerError("auth/email-already-in-use"));
    await type("Current password", `${PASSWORD}{Enter}`);
    expect((await screen.findByRole("alert")).textContent).toMatch(SENT);
  });

  test.each(["auth/wrong-password", "auth/invalid-credential"])("needs the current password (%s)", async (code) => {
    vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError(code));
    await type("Current password", "wrong{Enter}");
    expect(await screen.findByText("This is not your current password.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("Current password")));
    expect(calls).toEqual([]);
  });

  test.each([
    ["auth/too-many-requests", /^Too many attempts/],
    ["auth/network-request-failed", /^The login service could not be reached/],
    ["auth/internal-error", /^Failed to change your email/],
  ])("is kept after %s", async (code, message) => {
    vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError(code));
    await type("Current password", `${PASSWORD}{Enter}`);
    expect((await screen.findByRole("alert")).textContent).toMatch(message);
    expect(field("New email").value).toBe("berta@example.com");
  });

  test("that is the current one, and an empty password, send nothing", async () => {
    await user.click(await button("Send link"));
    expect(await screen.findByText("Please enter your current password")).toBeTruthy();
    await type("New email", EMAIL.toUpperCase());
    await type("Current password", `${PASSWORD}{Enter}`);
    expect(await screen.findByText("This is already your email address.")).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

describe("the password", () => {
  const NEW = "another secret";
  const fill = async (confirmed = NEW) => {
    await type("Current password", PASSWORD);
    await type("New password", NEW);
    await type("Confirm new password", confirmed);
    const [, submit] = await screen.findAllByRole("button", { name: "Change password" });
    await user.click(submit as HTMLElement);
  };

  beforeEach(async () => {
    await user.click(await button("Change password"));
    const text = "Changing your password logs you out in all other browsers.";
    expect(screen.getByText(text)).toBeTruthy();
  });

  test("is changed, and then the sessions of other browsers end", async () => {
    await fill();
    const text = "SuccessYour password has been changed. You are logged out in all other browsers.";
    await waitFor(() => expect(toast()).toBe(text));
    expect(calls).toEqual([
      ["reauthenticate", EMAIL, PASSWORD, ""],
      ["setPassword", { password: NEW, currentPassword: PASSWORD, revokesKeys: false }],
    ]);
    expect(screen.queryByLabelText("New password")).toBeNull();
  });

  test("is changed even if the sessions of other browsers could not be ended", async () => {
    vi.spyOn(identity, "setPassword").mockResolvedValue({ hasEndedSessions: false, hasRevokedKeys: false });
    await fill();
    const text = "SuccessYour password has been changed. Other browsers are logged out within 15 minutes.";
    await waitFor(() => expect(toast()).toBe(text));
  });

  test("needs the current one", async () => {
    vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError("auth/wrong-password"));
    await fill();
    expect(await screen.findByText("This is not your current password.")).toBeTruthy();
    expect(calls).toEqual([]);
  });

  test("that the provider finds too weak is reported at its field", async () => {
    vi.spyOn(identity, "setPassword").mockRejectedValue(providerError("auth/weak-password"));
    await fill();
    expect(await screen.findByText("Please choose a stronger password.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("New password")));
  });

  test("may have been changed if no reply arrived", async () => {
    server.use(http.put("/api/auth/password", () => HttpResponse.error()));
    vi.spyOn(identity, "setPassword").mockImplementation(createBuiltInProvider().setPassword);
    await fill();
    expect(await screen.findByText(/^No reply arrived. Your password may have been changed/)).toBeTruthy();
  });

  test("must be entered twice", async () => {
    await fill("a typing error");
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

test("a change of the password revokes the API keys, too, if the user wants", async () => {
  const keys = [apiKey(), apiKey({ name: "Old", expiresAt: "2020-01-01T00:00:00.000Z" })];
  server.use(http.get("/api/keys", () => HttpResponse.json(keys)));
  await user.click(await button("Change password"));
  await user.click(await screen.findByRole("checkbox", { name: /otherwise ?Nightly script$/ }));
  for (const label of ["New password", "Confirm new password"]) await type(label, "another secret");
  await type("Current password", `${PASSWORD}{Enter}`);
  await waitFor(() => expect(calls.at(-1)).toMatchObject(["setPassword", { revokesKeys: true }]));
});
