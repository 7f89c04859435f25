import { fireEvent, screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { rememberSignIn } from "../../features/session/sign-in-memory.ts";
import { readPendingLinks, storeLink } from "../../features/session/stored-links.ts";
import { respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink } from "../../testing/generate-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";

const ANNA = identityFor("anna@example.com");

let user: UserEvent;
let identity: FakeIdentityProvider;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider();
  accounts = serveAccounts(ANNA.email);
});

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = () => screen.getByRole("button", { name: "Login" });
const error = (name: string) =>
  document.getElementById(field(name).getAttribute("aria-describedby") ?? "")?.textContent;
const dashboard = () => screen.findByRole("heading", { name: "Your Links" });
const form = () => screen.findByRole("heading", { name: "Welcome back" });

async function open(provider: FakeIdentityProvider | "unavailable" = identity) {
  await renderApp("/login", { identity: provider });
  await form();
}

async function submit(email = ANNA.email, password = "secret1") {
  for (const [name, text] of [
    ["Email", email],
    ["Password", password],
  ] as const) {
    await user.clear(field(name));
    if (text) await user.type(field(name), text);
  }
  await user.click(button());
}

function storePendingLink() {
  const link = { ...generatedLink({ shortCode: "kept222" }), returnPath: "/dashboard" };
  sessionStorage.setItem("pendingLink", JSON.stringify(link));
}

describe("a login", () => {
  // Specification 2.2, 2.24
  test("signs in, logs in to the backend, claims the link, shows a toast and goes to the dashboard", async () => {
    const signIn = vi.spyOn(identity, "signIn");
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(toast()).toBe("SuccessLogged in successfully");
    expect(signIn).toHaveBeenCalledWith(ANNA.email, "secret1");
    expect(accounts.calls()).toEqual(["POST /api/login", "PATCH /api/links/kept222"]);
    expect(sessionStorage.getItem("pendingLink")).toBeNull();
  });

  test("claims each of several links, and keeps those that the server could not claim", async () => {
    const warnings = catchLogs("warn");
    for (const shortCode of ["kept444", "kept333", "kept222"])
      storeLink(generatedLink({ shortCode }));
    server.use(
      http.patch("/api/links/kept222", errorReply(410, "This link has expired.")),
      http.patch("/api/links/kept333", errorReply(403, "No.")),
    );
    await open();
    await submit();
    await dashboard();
    expect(accounts.calls()).toContain("PATCH /api/links/kept444");
    expect(readPendingLinks()).toMatchObject([{ shortCode: "kept333" }]);
    expect(warnings()).toHaveLength(2);
  });

  test("succeeds if the link cannot be claimed, which is only logged", async () => {
    const warnings = catchLogs("warn");
    respondOnceWith("patch", "/api/links/:shortCode", errorReply(410, "This link has expired."));
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(toast()).toBe("SuccessLogged in successfully");
    expect(warnings()).toEqual(["Error: Failed to associate link with user"]);
  });

  test("repairs an account whose sign-up was interrupted", async () => {
    await open();
    await submit("clara@example.com");
    await dashboard();
    expect(accounts.users.get(identityFor("clara@example.com").uid)?.username).toBe("clara");
  });

  test("returns to the page that required it, even via the sign-up page", async () => {
    await renderApp("/link-creation", { identity });
    await form();
    await user.click(screen.getAllByRole("link", { name: "Sign up for free" }).at(-1) as Element);
    await user.click(await screen.findByRole("link", { name: "Login instead" }));
    await form();
    await submit();
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
  });

  test("is submitted once by Enter", async () => {
    const signIn = vi.spyOn(identity, "signIn");
    await open();
    await user.type(field("Email"), ANNA.email);
    await user.type(field("Password"), "secret1{Enter}{Enter}");
    await dashboard();
    expect(signIn).toHaveBeenCalledOnce();
  });

  test("in another tab leads to the dashboard", async () => {
    await open();
    identity.setIdentity(ANNA);
    rememberSignIn(true);
    window.dispatchEvent(new StorageEvent("storage"));
    await dashboard();
  });
});

describe("the fields", () => {
  // Specification 5.6
  test.each([
    ["Email", "", "secret1", "Please enter a valid email address"],
    ["Email", "anna@", "secret1", "Please enter a valid email address"],
    ["Password", ANNA.email, "12345", "Password must be at least 6 characters"],
  ])("reject and focus an invalid %s", async (name, email, password, message) => {
    const signIn = vi.spyOn(identity, "signIn");
    await open();
    await submit(email, password);
    await waitFor(() => expect(error(name)).toBe(message));
    expect(document.activeElement).toBe(field(name));
    expect(signIn).not.toHaveBeenCalled();
  });

  // Specification 2.23
  test("have autocomplete attributes for password managers", async () => {
    await open();
    expect(field("Email").getAttribute("autocomplete")).toBe("username");
    expect(field("Password").getAttribute("autocomplete")).toBe("current-password");
  });

  // Specification 2.23
  test("show and hide the password with a button", async () => {
    await open();
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(field("Password").type).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(field("Password").type).toBe("password");
  });
});

describe("a failure", () => {
  // Specification 8.10, 8.28
  test.each([
    ["auth/invalid-credential", "Invalid email or password."],
    ["auth/wrong-password", "Invalid email or password."],
    ["auth/user-not-found", "Invalid email or password."],
    ["auth/internal-error", "Invalid email or password."],
    ["auth/too-many-requests", "Too many attempts. Please wait a few minutes and try again."],
    ["auth/user-disabled", "This account has been disabled."],
    [
      "auth/network-request-failed",
      "The login service could not be reached. Please check your connection and try again.",
    ],
  ])("with %s is shown", async (code, message) => {
    vi.spyOn(identity, "signIn").mockRejectedValue(providerError(code));
    await open();
    await submit();
    await waitFor(() => expect(toast()).toBe(`Error${message}`));
    expect(document.activeElement).toBe(field("Password"));
    expect(field("Email").value).toBe(ANNA.email);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toBe(message);
    for (const name of ["Email", "Password"]) {
      expect(field(name).getAttribute("aria-describedby")).toContain(alert.id);
    }
    await user.type(field("Password"), "x");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  // Specification 8.19
  test("without a provider is logged and shown", async () => {
    const errors = catchLogs("error");
    await open("unavailable");
    await submit();
    await waitFor(() =>
      expect(toast()).toBe(
        "ErrorThe login service could not be reached. Please check your connection and try again.",
      ),
    );
    expect(errors()).toEqual(["ProviderUnavailableError: The identity provider is not available"]);
  });

  test("of the backend keeps the form, and the next attempt succeeds", async () => {
    user = useFakeClock();
    const unavailable = errorReply(503, "Unavailable");
    respondOnceWith("post", "/api/login", unavailable, unavailable);
    await open();
    await submit();
    await advanceUntil(() => toast() === "ErrorFailed to login with backend");
    expect(await form()).toBeTruthy();
    await submit();
    await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
  });
});

describe("a password reset", () => {
  const forgotButton = () => screen.getByRole("button", { name: "Forgot your password?" });
  const forgot = () => user.click(forgotButton());

  // Specification 5.9, 8.11
  test("requires an email address", async () => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), "  ");
    await forgot();
    await waitFor(() => expect(toast()).toBe("ErrorPlease enter your email address first."));
    expect(document.activeElement).toBe(field("Email"));
    expect(sendPasswordReset).not.toHaveBeenCalled();
  });

  test("requires a valid email address", async () => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), "anna@");
    await forgot();
    await waitFor(() => expect(error("Email")).toBe("Please enter a valid email address"));
    expect(document.activeElement).toBe(field("Email"));
    expect(sendPasswordReset).not.toHaveBeenCalled();
  });

  // Specification 2.25, 8.12
  test("sends an email without validating the empty password", async () => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), ` ${ANNA.email} `);
    await forgot();
    await waitFor(() =>
      expect(toast()).toBe("SuccessPassword reset email has been sent. Please check your inbox."),
    );
    expect(sendPasswordReset).toHaveBeenCalledWith(ANNA.email);
    expect(error("Password")).toBe("");
  });

  test("sends one email when the second click of a double click comes after it", async () => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), ANNA.email);
    await forgot();
    await waitFor(() => expect(toast()).toContain("Password reset email has been sent."));
    fireEvent.click(forgotButton(), { detail: 2 });
    await user.type(field("Password"), "secret");
    expect(sendPasswordReset).toHaveBeenCalledTimes(1);
  });

  // Specification 8.13
  test.each([
    ["auth/user-not-found", "SuccessPassword reset email has been sent. Please check your inbox."],
    ["auth/too-many-requests", "ErrorFailed to send password reset email. Please try again."],
    ["auth/network-request-failed", "ErrorFailed to send password reset email. Please try again."],
  ])("after %s shows: %s", async (code, message) => {
    vi.spyOn(identity, "sendPasswordReset").mockRejectedValue(providerError(code));
    await open();
    await user.type(field("Email"), ANNA.email);
    await forgot();
    await waitFor(() => expect(toast()).toBe(message));
  });

  test("without a provider is logged and shown", async () => {
    const errors = catchLogs("error");
    await open("unavailable");
    await user.type(field("Email"), ANNA.email);
    await forgot();
    await waitFor(() =>
      expect(toast()).toBe("ErrorFailed to send password reset email. Please try again."),
    );
    expect(errors()).toHaveLength(1);
  });
});

describe("a signed-in user", () => {
  test("is redirected to the dashboard", async () => {
    await renderApp("/login", { identity: fakeIdentityProvider(ANNA) });
    await dashboard();
  });

  test("never sees the form if they were signed in at the last visit", async () => {
    localStorage.setItem("signed_in", "yes");
    await renderApp("/login", { identity: fakeIdentityProvider(ANNA) });
    expect(screen.queryByRole("heading", { name: "Welcome back" })).toBeNull();
    await dashboard();
  });
});
