import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CodeRequiredError, ProviderUnavailableError } from "../../features/session/failures.ts";
import { rememberSignIn, wasSignedIn } from "../../features/session/sign-in-memory.ts";
import { readPendingLinks, storeLink } from "../../features/session/stored-links.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, serve } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

const UNREACHABLE = "The login service could not be reached. Please check your connection and try again.";
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

async function open() {
  await renderApp("/login", { identity });
  await form();
}

async function submit(email = ANNA.email) {
  await user.type(field("Email"), email);
  await user.type(field("Password"), "secret1");
  await user.click(button());
}

test("returns to the page that required it, even via the sign-up page", async () => {
  await renderApp("/link-creation", { identity });
  await form();
  await user.click(screen.getAllByRole("link", { name: "Sign up for free" }).at(-1) as Element);
  await user.click(await screen.findByRole("link", { name: "Login instead" }));
  await form();
  await submit();
  expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
});

test("claims several links by one request, and keeps none that can never be claimed", async () => {
  for (const shortCode of ["kept444", "kept333", "kept222"]) storeLink(generatedLink({ shortCode }));
  const shortCodes = ["kept222", "kept333", "kept444"];
  const sent = serve("POST /api/links/bulk/claim", () => ({
    results: shortCodes.map((shortCode, index) => ({ shortCode, error: index === 0 ? "link-expired" : null })),
  }));
  await open();
  await submit();
  await dashboard();
  expect(sent).toMatchObject([{ shortCodes }]);
  expect(readPendingLinks()).toEqual([]);
});

test("keeps the links for the next login if they cannot be claimed now, and goes on", async () => {
  const warnings = catchLogs("warn");
  storeLink(generatedLink({ shortCode: "kept222" }));
  const sent = serve("POST /api/links/bulk/claim", () => failure(403));
  await open();
  await submit();
  await dashboard();
  expect(sent).toHaveLength(1);
  expect(readPendingLinks()).toMatchObject([{ shortCode: "kept222" }]);
  expect(warnings()).toHaveLength(1);
});

const refusal = (code: ErrorCode) => new HttpError(401, ERRORS[code].message, code);

// Specification 8.10, 8.28
test.each([
  [providerError("auth/wrong-password"), "Invalid email or password."],
  [providerError("auth/internal-error"), "Invalid email or password."],
  [refusal("wrong-credentials"), "Invalid email or password."],
  [providerError("auth/too-many-requests"), "Too many attempts. Please wait a few minutes and try again."],
  [refusal("too-many-requests"), "Too many attempts. Please wait a few minutes and try again."],
  [providerError("auth/user-disabled"), "This account has been disabled."],
  [providerError("auth/network-request-failed"), UNREACHABLE],
  [new ProviderUnavailableError({}), UNREACHABLE],
])("a failure is shown until the next key: %s", async (cause, message) => {
  vi.spyOn(identity, "logIn").mockRejectedValue(cause);
  await open();
  await submit();
  await findToast(`Error${message}`);
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

test("a disabled user is told so once", async () => {
  vi.spyOn(identity, "logIn").mockRejectedValue(refusal("account-disabled"));
  await open();
  await submit();
  expect(await screen.findAllByText("This account has been disabled.")).toHaveLength(1);
  expect(await form()).toBeTruthy();
});

describe("a login with a code", () => {
  beforeEach(async () => {
    vi.spyOn(identity, "logIn").mockRejectedValue(new CodeRequiredError());
    await open();
    await submit();
    await waitFor(() => expect(document.activeElement).toBe(field("Code")));
  });

  test("continues after the password, and claims the link", async () => {
    storeLink(generatedLink({ shortCode: "kept222" }));
    const verifyCode = vi.spyOn(identity.builtIn, "verifyCode");
    expect(field("Code").getAttribute("autocomplete")).toBe("one-time-code");
    await user.type(field("Code"), "123456{Enter}");
    await dashboard();
    expect(verifyCode).toHaveBeenCalledWith("123456");
    expect(accounts.calls()).toEqual(["POST /api/links/bulk/claim"]);
  });

  test("says that the code is wrong, and goes back to the password, with the email that was typed", async () => {
    vi.spyOn(identity.builtIn, "verifyCode").mockRejectedValue(refusal("wrong-code"));
    await user.type(field("Code"), "123456{Enter}");
    await waitFor(() => expect(error("Code")).toBe("The code is wrong or no longer valid."));
    expect(document.activeElement).toBe(field("Code"));
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(document.activeElement).toBe(field("Password"));
    expect(field("Password").value).toBe("");
    expect(field("Email").value).toBe(ANNA.email);
  });

  test("requires the password again after too many wrong codes", async () => {
    vi.spyOn(identity.builtIn, "verifyCode").mockRejectedValue(refusal("login-expired"));
    await user.type(field("Code"), "123456{Enter}");
    await findToast("ErrorPlease log in again.");
    expect(field("Password")).toBeTruthy();
  });
});

describe("a login with a passkey", () => {
  const passkeyButton = () => screen.findByRole("button", { name: "Log in with a passkey" });

  beforeEach(() => {
    // As in Safari 16.4, which has no JSON of passkeys.
    vi.stubGlobal("PublicKeyCredential", () => {});
    onTestFinished(() => void vi.unstubAllGlobals());
  });

  test("leads to the dashboard", async () => {
    await open();
    await user.click(await passkeyButton());
    await dashboard();
  });

  test("that is refused says so, and one that the user has cancelled says nothing", async () => {
    const signIn = vi.spyOn(identity.builtIn, "logInWithPasskey");
    signIn.mockRejectedValueOnce(new DOMException("Cancelled", "NotAllowedError"));
    signIn.mockRejectedValueOnce(refusal("passkey-refused"));
    await open();
    await user.click(await passkeyButton());
    expect(toast()).toBeFalsy();
    await user.click(await passkeyButton());
    await findToast("ErrorThe passkey was not accepted.");
  });

  test("is not offered with Firebase", async () => {
    await renderApp("/login", { identity, changes: { firebase: { projectId: "tapthru" } } });
    await form();
    expect(screen.queryByRole("button", { name: /passkey/ })).toBeNull();
  });
});

describe("a login at the OpenID provider", () => {
  const changes = { openIdConnect: { name: "Example Corp", iconUrl: "https://id.example/i.svg" } };
  const continueButton = () => screen.findByRole("button", { name: "Continue with Example Corp" });

  test("goes to the provider, and returns to the page that required the login", async () => {
    const sent = serve("POST /api/auth/open-id", () => ({ url: "https://id.example/authorize" }));
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    await renderApp("/link-creation?url=x", { identity, changes });
    await user.click(await continueButton());
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/authorize"));
    const returnPath = "/login?from=%2Flink-creation%3Furl%3Dx";
    expect(sent).toEqual([{ returnPath, confirmsIdentity: false }]);
    expect(wasSignedIn()).toBe(true);
  });

  test.each([
    ["/link-creation", "Create New Link"],
    ["//other.example", "Your Links"],
    ["/\t/other.example", "Your Links"],
  ])("that returns to /login?from=%s opens: %s", async (from, heading) => {
    identity = fakeIdentityProvider(ANNA);
    await renderApp(`/login?from=${encodeURIComponent(from)}`, { identity, changes });
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
  });

  test("opens the page also if another tab, of a guest, has forgotten that there is one", async () => {
    identity = fakeIdentityProvider(ANNA);
    await renderApp("/login?from=%2Flink-creation", { identity: Promise.resolve(identity), changes });
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
  });

  test("that the user has left by the browser's button keeps the form", async () => {
    await open();
    rememberSignIn(true);
    await user.click(screen.getAllByRole("link", { name: "Sign up for free" }).at(-1) as Element);
    expect(await screen.findByRole("heading", { name: "Create your account" })).toBeTruthy();
    expect(wasSignedIn()).toBe(false);
  });

  test("is the only one without passwords, and its failure is shown", async () => {
    const withoutPasswords = { ...changes, hasPasswordLogin: false };
    await renderApp("/login?login_error=no_email", { identity, changes: withoutPasswords });
    await continueButton();
    expect(screen.queryByLabelText("Email")).toBeNull();
    expect(screen.getByRole("alert").textContent).toBe("This login has no email address, which an account needs.");
  });

  test("that failed is said to a user who is still logged in, on the dashboard", async () => {
    await renderApp("/login?login_error=canceled", { identity: fakeIdentityProvider(ANNA), changes });
    await dashboard();
    await findToast("ErrorThe login at the other site was cancelled.");
  });

  test("that failed is not said again after a login with the password", async () => {
    rememberSignIn(true);
    await renderApp("/login?login_error=canceled", { identity, changes });
    await form();
    await submit();
    await dashboard();
    await findToast("SuccessLogged in successfully");
  });

  test("that cannot be started is shown", async () => {
    serve("POST /api/auth/open-id", () => problem("unavailable"));
    await renderApp("/login", { identity, changes });
    await user.click(await continueButton());
    expect((await screen.findByRole("alert")).textContent).toBe("This login could not be started. Please try again.");
  });
});

describe("a password reset", () => {
  const forgotButton = () => screen.getByRole("button", { name: "Forgot your password?" });
  const forgot = () => user.click(forgotButton());

  // Specification 5.9, 8.11
  test.each([
    ["  ", "Please enter your email address first."],
    ["anna@", "Please enter a valid email address"],
  ])("requires an email address: %j", async (text, message) => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), text);
    await forgot();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field("Email"));
    expect(sendPasswordReset).not.toHaveBeenCalled();
  });

  // Specification 2.25, 8.12
  test("sends one email for a double click, and takes away the error of the login", async () => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    vi.spyOn(identity, "logIn").mockRejectedValue(refusal("wrong-credentials"));
    await open();
    await submit(` ${ANNA.email} `);
    await screen.findByRole("alert");
    await user.clear(field("Password"));
    await forgot();
    await findToast("SuccessPassword reset email has been sent. Please check your inbox.");
    // The second click of a slow double click.
    fireEvent.click(forgotButton(), { detail: 2 });
    await user.type(field("Password"), "secret");
    expect(sendPasswordReset.mock.calls).toEqual([[ANNA.email]]);
    expect([screen.queryByRole("alert"), error("Password")]).toEqual([null, ""]);
  });

  // Specification 8.13
  test.each([
    ["auth/user-not-found", "SuccessPassword reset email has been sent. Please check your inbox."],
    ["auth/too-many-requests", "ErrorFailed to send password reset email. Please try again."],
    ["auth/network-request-failed", "ErrorFailed to send password reset email. Please try again."],
    ["email-not-configured", "ErrorThis site cannot send emails. Please ask its operator for help."],
  ] as const)("after %s shows: %s", async (code, message) => {
    const cause = code === "email-not-configured" ? refusal(code) : providerError(code);
    vi.spyOn(identity, "sendPasswordReset").mockRejectedValue(cause);
    await open();
    await user.type(field("Email"), ANNA.email);
    await forgot();
    await findToast(message);
  });
});

test("the page does not offer a sign-up where it is closed", async () => {
  await renderApp("/login", { identity, changes: { signUp: "closed" } });
  await form();
  expect(screen.queryByText("New here?")).toBeNull();
});
