import { screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readPendingLinks, storeLink } from "../../features/session/stored-links.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import { respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink, networkError } from "../../testing/generate-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { findToast } from "../../testing/toast.ts";

const ANNA = identityFor("anna@example.com");
const LOGIN = {
  form: "login",
  path: "/login",
  title: "Welcome back",
  submitLabel: "Login",
  method: "logIn",
  userId: 1,
  fields: [
    { name: "Email", text: ` ${ANNA.email} `, autocomplete: "username" },
    { name: "Password", text: " secret1 ", autocomplete: "current-password" },
  ],
  sent: [ANNA.email, " secret1 "],
  success: "SuccessLogged in successfully",
  claimFailure: "",
  failure: "ErrorFailed to login with backend",
} as const;
const SIGN_UP = {
  form: "sign-up",
  path: "/signup",
  title: "Create your account",
  submitLabel: "Sign up",
  method: "signUp",
  userId: 2,
  fields: [
    { name: "Username", text: "  Clara ", autocomplete: "nickname" },
    { name: "Email", text: " clara@example.com ", autocomplete: "email" },
    { name: "Password", text: " secret1 ", autocomplete: "new-password" },
    { name: "Confirm password", text: " secret1 ", autocomplete: "new-password" },
  ],
  sent: [expect.objectContaining({ email: "clara@example.com", username: "Clara", password: " secret1 " })],
  success: "Your account has been created successfully.",
  claimFailure: "Failed to associate link with user",
  failure: "ErrorFailed to create account. Please try again.",
} as const;

let user: UserEvent;
let identity: FakeIdentityProvider;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider();
  accounts = serveAccounts(ANNA.email);
});

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const error = (name: string) =>
  document.getElementById(field(name).getAttribute("aria-describedby") ?? "")?.textContent;
const isOnDashboard = () => screen.queryByRole("heading", { name: "Your Links" }) !== null;
const dashboard = () => screen.findByRole("heading", { name: "Your Links" });
const storePendingLink = () => storeLink(generatedLink({ shortCode: "kept222" }));

const claimReply = (error: string) => () => HttpResponse.json({ results: [{ shortCode: "kept222", error }] });

describe.each([LOGIN, SIGN_UP])("a $form", (each) => {
  const { path, title, submitLabel, method, userId, fields, sent, success, claimFailure, failure } = each;
  const button = () => screen.getByRole("button", { name: submitLabel });

  async function open(provider: FakeIdentityProvider | "unavailable" = identity) {
    await renderApp(path, { identity: provider });
    await screen.findByRole("heading", { name: title });
  }

  async function fill(changes: Record<string, string> = {}) {
    for (const { name, text } of fields) {
      await user.clear(field(name));
      const typed = changes[name] ?? text;
      if (typed) await user.type(field(name), typed);
    }
  }

  async function submit() {
    await fill();
    await user.click(button());
  }

  // Specification 2.2, 2.24, 2.27
  test("is sent once by Enter, claims the link, says so and goes to the dashboard", async () => {
    const send = vi.spyOn(identity, method);
    storePendingLink();
    await open();
    await fill();
    await user.keyboard("{Enter}{Enter}");
    await dashboard();
    expect(await findToast(success)).toBe(success);
    expect(send.mock.calls).toEqual([sent]);
    expect(accounts.calls()).toEqual(["POST /api/links/bulk/claim"]);
    expect(accounts.requests[0]?.body).toEqual({ userId, shortCodes: ["kept222"] });
    expect(readPendingLinks()).toEqual([]);
  });

  // Specification 8.16
  test.each([
    ["link-expired", claimReply("link-expired"), 0],
    ["link-not-found", claimReply("link-not-found"), 0],
    ["403", errorReply(403, "No."), 1],
  ])("forgets a link that does not exist any more, and keeps one that was refused: %s", async (_case, reply, kept) => {
    const warnings = catchLogs("warn");
    respondOnceWith("post", "/api/links/bulk/claim", reply);
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(await findToast(success)).toBe(kept ? success + claimFailure : success);
    expect(readPendingLinks()).toHaveLength(kept);
    expect(warnings()).toHaveLength(kept);
  });

  test.each([
    ["one failure", [errorReply(503, "Unavailable")], 0],
    ["two failures", [errorReply(503, "Unavailable"), networkError], 1],
  ])("claims the link again after %s, and keeps it for the next login", async (_case, replies, kept) => {
    user = useFakeClock();
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("post", "/api/links/bulk/claim", ...replies);
    storePendingLink();
    await open();
    await submit();
    await advanceUntil(isOnDashboard);
    expect(repliesSent()).toBe(replies.length);
    expect(readPendingLinks()).toHaveLength(kept);
    expect(warnings()).toHaveLength(kept);
  });

  test("keeps the focus while pending", async () => {
    const send = vi.spyOn(identity, method).mockReturnValue(new Promise(() => {}));
    await open();
    await submit();
    await waitFor(() => expect(button().getAttribute("aria-busy")).toBe("true"));
    expect(document.activeElement).toBe(button());
    await user.click(button());
    expect(send).toHaveBeenCalledOnce();
  });

  // Specification 5.6, 5.7
  test("shows what is wrong at each field, focuses the first, and is not sent", async () => {
    const send = vi.spyOn(identity, method);
    await open();
    await user.click(button());
    await waitFor(() => expect(error("Email")).toBe("Please enter a valid email address"));
    expect(error("Password")).toBe("Password must be at least 6 characters");
    expect(field("Email").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field(fields[0].name));
    await user.type(field("Email"), "anna@example.com");
    await waitFor(() => expect(error("Email")).toBe(""));
    expect(send).not.toHaveBeenCalled();
  });

  // Specification 2.23, 2.26
  test("can be filled by password managers, and shows and hides each password", async () => {
    await open();
    for (const { name, autocomplete } of fields) {
      expect(field(name).getAttribute("autocomplete")).toBe(autocomplete);
      if (!autocomplete.endsWith("password")) continue;
      await user.click(screen.getByRole("button", { name: `Show ${name.toLowerCase()}` }));
      expect(field(name).type).toBe("text");
      await user.click(screen.getByRole("button", { name: `Hide ${name.toLowerCase()}` }));
      expect(field(name).type).toBe("password");
    }
  });

  // Specification 8.14, 8.19
  test("without a provider is logged and shown", async () => {
    const warnings = catchLogs("warn");
    await open("unavailable");
    await submit();
    expect(
      await screen.findByText(/^The login service could not be reached/, { selector: "[role=alert]" }),
    ).toBeTruthy();
    expect(new Set(warnings())).toEqual(new Set(["ProviderUnavailableError: The identity provider is not available"]));
  });

  // Specification 8.15
  test("that fails in the backend keeps the form, and the next attempt succeeds", async () => {
    const warnings = catchLogs("warn");
    const cause = new HttpError(503, "Unavailable");
    const send = vi.spyOn(identity, method);
    send.mockRejectedValue(new Error("Failed to login with backend", { cause }));
    await open();
    await submit();
    await findToast(failure);
    warnings();
    send.mockRestore();
    await submit();
    await dashboard();
  });

  test("is not shown to a user who is logged in", async () => {
    localStorage.setItem("signed_in", "yes");
    await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
    expect(screen.queryByRole("heading", { name: title })).toBeNull();
    await dashboard();
  });

  test("in another tab leads to the dashboard", async () => {
    await open();
    identity.setIdentity(ANNA);
    await dashboard();
  });
});
