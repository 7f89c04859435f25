import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CodeRequiredError, ProviderUnavailableError } from "../../features/session/failures.ts";
import { RETURNING, rememberSignIn, wasSignedIn } from "../../features/session/sign-in-memory.ts";
import { readPendingLinks, storeLink } from "../../features/session/stored-links.ts";
import type { Config } from "../../lib/config.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { button, click, field, heading, noteOf } from "../../testing/controls.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink, networkError } from "../../testing/generate-server.ts";
import { ANNA } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { problem, respondOnceWith, serve } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

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
  failed: "Failed to login with backend",
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
  failed: "Failed to create account. Please try again.",
} as const;

let user: UserEvent;
let identity: FakeIdentityProvider;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider();
  accounts = serveAccounts(ANNA.email);
});

const error = (name: string) => noteOf(field(name));
const dashboard = () => heading("Your Links");
const keepLink = (shortCode = "kept222") => storeLink(generatedLink({ shortCode }));
const claimReply = (error: string) => () => HttpResponse.json({ results: [{ shortCode: "kept222", error }] });

describe.each([LOGIN, SIGN_UP])("a $form", (each) => {
  const { path, title, submitLabel, method, userId, fields, sent, success, claimFailure, failed } = each;
  const submitButton = () => screen.getByRole("button", { name: submitLabel });

  async function open(provider: FakeIdentityProvider | "unavailable" = identity) {
    await renderApp(path, { identity: provider });
    await heading(title);
  }

  async function fillFields() {
    for (const { name, text } of fields) {
      await user.clear(field(name));
      await user.type(field(name), text);
    }
  }

  async function submit() {
    await fillFields();
    await user.click(submitButton());
  }

  // Specification 2.2, 2.24, 2.27
  test("Enter sends the form once, which claims the link, says so and goes to the dashboard", async () => {
    const send = vi.spyOn(identity, method);
    keepLink();
    await open();
    await fillFields();
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
    ["403", errorReply(403, "No."), 1],
  ])("forgets a link that does not exist any more, and keeps one that was refused: %s", async (_case, reply, kept) => {
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("POST /api/links/bulk/claim", reply);
    keepLink();
    await open();
    await submit();
    await dashboard();
    expect(await findToast(success)).toBe(kept ? success + claimFailure : success);
    expect([readPendingLinks().length, warnings().length, repliesSent()]).toEqual([kept, kept, 1]);
  });

  test.each([
    ["one failure", [errorReply(503, "Unavailable")], 0],
    ["two failures", [errorReply(503, "Unavailable"), networkError], 1],
  ])("claims the link again after %s, and keeps it for the next login", async (_case, replies, kept) => {
    user = useFakeClock();
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("POST /api/links/bulk/claim", ...replies);
    keepLink();
    await open();
    await submit();
    await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
    expect([readPendingLinks().length, warnings().length, repliesSent()]).toEqual([kept, kept, replies.length]);
  });

  // Specification 5.6, 5.7
  test("shows what is wrong at each field, focuses the first, and is not sent", async () => {
    const send = vi.spyOn(identity, method);
    await open();
    await user.click(submitButton());
    await waitFor(() => expect(error("Email")).toBe("Please enter a valid email address"));
    expect(error("Password")).toBe("Password must be at least 6 characters");
    expect(field("Email").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field(fields[0].name));
    await user.type(field("Email"), "anna@example.com");
    await waitFor(() => expect(error("Email")).toBe(""));
    expect(send).not.toHaveBeenCalled();
  });

  // Specification 2.23, 2.26
  test("lets password managers fill the form, and shows and hides each password", async () => {
    await open();
    for (const { name, autocomplete } of fields) {
      expect(field(name).getAttribute("autocomplete")).toBe(autocomplete);
      if (!autocomplete.endsWith("password")) continue;
      await click(`Show ${name.toLowerCase()}`);
      expect(field(name).type).toBe("text");
      await click(`Hide ${name.toLowerCase()}`);
      expect(field(name).type).toBe("password");
    }
  });

  // Specification 8.14, 8.19
  test("logs and shows a login or sign-up without a provider", async () => {
    const warnings = catchLogs("warn");
    await open("unavailable");
    await submit();
    await screen.findByText(/^The login service could not be reached/, { selector: "[role=alert]" });
    expect(new Set(warnings())).toEqual(new Set(["ProviderUnavailableError: The identity provider is not available"]));
  });

  // Specification 8.15
  test("a failure of the backend keeps the form, and the next attempt succeeds", async () => {
    const warnings = catchLogs("warn");
    const cause = new HttpError(503, "Unavailable");
    const send = vi.spyOn(identity, method);
    send.mockRejectedValue(new Error("Failed to login with backend", { cause }));
    await open();
    await submit();
    await screen.findByText(failed);
    warnings();
    send.mockRestore();
    await submit();
    await dashboard();
  });

  test("does not show the form to a user who is logged in, here or in another tab", async () => {
    await open();
    identity.setIdentity(ANNA);
    await dashboard();
    localStorage.setItem("signed_in", "yes");
    await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
    expect(screen.queryByRole("heading", { name: title })).toBeNull();
    expect(await screen.findAllByRole("heading", { name: "Your Links" })).toHaveLength(2);
  });
});

async function open(path = "/login", changes: Partial<Config> = {}) {
  await renderApp(path, { identity, changes });
  await heading("Welcome back");
}

async function submit(email = ANNA.email) {
  await user.type(field("Email"), email);
  await user.type(field("Password"), "secret1");
  await click("Login");
}

async function toSignUp() {
  await user.click(screen.getAllByRole("link", { name: "Sign up for free" }).at(-1) as Element);
}

test("returns to the page that required it, even via the sign-up page", async () => {
  await open("/link-creation");
  await toSignUp();
  await user.click(await screen.findByRole("link", { name: "Login instead" }));
  await heading("Welcome back");
  await submit();
  expect(await heading("Create New Link")).toBeTruthy();
});

const refusal = (code: ErrorCode) => new HttpError(401, ERRORS[code].message, code);
const UNREACHABLE = "The login service could not be reached. Please check your connection and try again.";

// Specification 8.10, 8.28
test.each([
  [providerError("auth/wrong-password"), "Invalid email or password."],
  [providerError("auth/internal-error"), "Invalid email or password."],
  [refusal("wrong-credentials"), "Invalid email or password."],
  [refusal("too-many-requests"), "Too many attempts. Please wait a few minutes and try again."],
  [providerError("auth/too-many-requests"), "Too many attempts. Please wait a few minutes and try again."],
  [providerError("auth/user-disabled"), "This account has been disabled."],
  [refusal("account-disabled"), "This account has been disabled."],
  [providerError("auth/network-request-failed"), UNREACHABLE],
  [new ProviderUnavailableError({}), UNREACHABLE],
])("a failure is shown until the next key: %s", async (cause, message) => {
  vi.spyOn(identity, "logIn").mockRejectedValue(cause);
  await open();
  await submit();
  const alert = await screen.findByRole("alert");
  await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  expect(field("Email").value).toBe(ANNA.email);
  expect(alert.textContent).toBe(message);
  for (const name of ["Email", "Password"]) {
    expect(field(name).getAttribute("aria-describedby")).toContain(alert.id);
  }
  await user.type(field("Password"), "x");
  expect(screen.queryByRole("alert")).toBeNull();
});

describe("a login with a code", () => {
  beforeEach(async () => {
    vi.spyOn(identity, "logIn").mockRejectedValue(new CodeRequiredError());
    await open();
    await submit();
    await waitFor(() => expect(document.activeElement).toBe(field("Code")));
  });

  // What the code opens, and that it is wrong, is in e2e/account-security.spec.ts.
  test("goes back to the password, with the email that was typed", async () => {
    expect(field("Code").getAttribute("autocomplete")).toBe("one-time-code");
    await click("Back");
    expect(document.activeElement).toBe(field("Password"));
    expect([field("Password").value, field("Email").value]).toEqual(["", ANNA.email]);
  });

  test("requires the password again after too many wrong codes", async () => {
    vi.spyOn(identity.builtIn, "verifyCode").mockRejectedValue(refusal("login-expired"));
    await user.type(field("Code"), "123456{Enter}");
    await findToast("ErrorPlease log in again.");
    expect(field("Password")).toBeTruthy();
  });
});

describe("a login with a passkey", () => {
  beforeEach(() => {
    // As in Safari 16.4, which has no JSON of passkeys.
    vi.stubGlobal("PublicKeyCredential", () => {});
    onTestFinished(() => void vi.unstubAllGlobals());
  });

  test("a refused passkey says so, a cancelled one says nothing, another leads to the dashboard", async () => {
    const signIn = vi.spyOn(identity.builtIn, "logInWithPasskey");
    signIn.mockRejectedValueOnce(new DOMException("Cancelled", "NotAllowedError"));
    signIn.mockRejectedValueOnce(refusal("passkey-refused"));
    await open();
    await click("Log in with a passkey");
    expect(toast()).toBeFalsy();
    await click("Log in with a passkey");
    await findToast("ErrorThe passkey was not accepted.");
    await click("Log in with a passkey");
    await dashboard();
  });

  test("offers no passkeys with Firebase", async () => {
    await open("/login", { firebase: { projectId: "tapthru" } });
    expect(screen.queryByRole("button", { name: /passkey/ })).toBeNull();
  });
});

describe("a login at the OpenID provider", () => {
  const changes = { openIdConnect: { name: "Example Corp", iconUrl: "https://id.example/i.svg" } };
  const CONTINUE = "Continue with Example Corp";

  test("goes to the provider, and returns to the page that required the login", async () => {
    const sent = serve("POST /api/auth/open-id", () => ({ url: "https://id.example/authorize" }));
    const assign = vi.spyOn(location, "assign").mockReturnValue();
    await open("/link-creation?url=x", changes);
    await click(CONTINUE);
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/authorize"));
    const returnPath = "/login?from=%2Flink-creation%3Furl%3Dx";
    expect(sent).toEqual([{ returnPath, confirmsIdentity: false }]);
    expect(wasSignedIn()).toBe(true);
  });

  test.each([
    ["/link-creation", "Create New Link", true],
    ["//other.example", "Your Links", true],
    ["/\t/other.example", "Your Links", true],
    // Another tab, of a guest, has forgotten that there is one.
    ["/link-creation", "Create New Link", false],
  ])("a return to /login?from=%s opens: %s, also if the tab was: %s", async (from, title, isRemembered) => {
    identity = fakeIdentityProvider(ANNA);
    await renderApp(`/login?from=${encodeURIComponent(from)}`, {
      identity: isRemembered ? identity : Promise.resolve(identity),
      changes,
    });
    expect(await heading(title)).toBeTruthy();
  });

  test("the form stays when the user leaves the provider by the browser's button", async () => {
    await open();
    rememberSignIn(RETURNING);
    await toSignUp();
    expect(await heading("Create your account")).toBeTruthy();
    expect(wasSignedIn()).toBe(false);
  });

  test("offers only the OpenID login without passwords, and shows its failure", async () => {
    await open("/login?login_error=no_email", { ...changes, hasPasswordLogin: false });
    expect(await button(CONTINUE)).toBeTruthy();
    expect(screen.queryByLabelText("Email")).toBeNull();
    expect(screen.getByRole("alert").textContent).toBe("This login has no email address, which an account needs.");
  });

  test("the dashboard shows a failed login to a user who is still logged in", async () => {
    await renderApp("/login?login_error=canceled", { identity: fakeIdentityProvider(ANNA), changes });
    await dashboard();
    await findToast("ErrorThe login at the other site was cancelled.");
  });

  test("does not repeat a failed login after a login with the password", async () => {
    rememberSignIn(RETURNING);
    await open("/login?login_error=canceled", changes);
    await submit();
    await dashboard();
    await findToast("SuccessLogged in successfully");
  });

  test("shows that a login cannot be started", async () => {
    serve("POST /api/auth/open-id", () => problem("unavailable"));
    await open("/login", changes);
    await click(CONTINUE);
    expect((await screen.findByRole("alert")).textContent).toBe("This login could not be started. Please try again.");
  });
});

describe("a password reset", () => {
  const FORGOT = "Forgot your password?";

  // Specification 5.9, 8.11
  test.each([
    ["  ", "Please enter your email address first."],
    ["anna@", "Please enter a valid email address"],
  ])("requires an email address: %j", async (text, message) => {
    const sendPasswordReset = vi.spyOn(identity, "sendPasswordReset");
    await open();
    await user.type(field("Email"), text);
    await click(FORGOT);
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
    await click(FORGOT);
    await findToast("SuccessPassword reset email has been sent. Please check your inbox.");
    // The second click of a slow double click.
    fireEvent.click(await button(FORGOT), { detail: 2 });
    await user.type(field("Password"), "secret");
    expect(sendPasswordReset.mock.calls).toEqual([[ANNA.email]]);
    expect([screen.queryByRole("alert"), error("Password")]).toEqual([null, ""]);
  });

  // Specification 8.13
  test.each([
    [providerError("auth/user-not-found"), "SuccessPassword reset email has been sent. Please check your inbox."],
    [providerError("auth/too-many-requests"), "ErrorFailed to send password reset email. Please try again."],
    [refusal("email-not-configured"), "ErrorThis site cannot send emails. Please ask its operator for help."],
  ])("a password reset after %s shows: %s", async (cause, message) => {
    vi.spyOn(identity, "sendPasswordReset").mockRejectedValue(cause);
    await open();
    await user.type(field("Email"), ANNA.email);
    await click(FORGOT);
    await findToast(message);
  });
});

test("the page does not offer a sign-up where it is closed", async () => {
  await open("/login", { signUp: "closed" });
  expect(screen.queryByText("New here?")).toBeNull();
});
