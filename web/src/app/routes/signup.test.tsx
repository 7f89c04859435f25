import { messages } from "@tapthru/proto/rules/messages";
import { screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ProviderUnavailableError } from "../../features/session/failures.ts";
import { rememberSignIn } from "../../features/session/sign-in-memory.ts";
import { HttpError, NetworkError } from "../../lib/http/http-client.ts";
import { respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink, networkError } from "../../testing/generate-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { toast } from "../../testing/toast.ts";

const CLARA = identityFor("clara@example.com");
const SUCCESS = "Your account has been created successfully.";
const FAILURE = "ErrorFailed to create account. Please try again.";

let user: UserEvent;
let identity: FakeIdentityProvider;
let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider();
  accounts = serveAccounts("anna@example.com");
});

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = () => screen.getByRole("button", { name: "Sign up" });
const error = (name: string) =>
  document.getElementById(field(name).getAttribute("aria-describedby") ?? "")?.textContent;
const dashboard = () => screen.findByRole("heading", { name: "Your Links" });

async function open(provider: FakeIdentityProvider | "unavailable" = identity) {
  await renderApp("/signup", { identity: provider });
  await screen.findByRole("heading", { name: "Create your account" });
}

async function fill(changes: Partial<Record<string, string>> = {}) {
  const entries = {
    Username: "Clara",
    Email: CLARA.email,
    Password: "secret1",
    "Confirm password": changes.Password ?? "secret1",
    ...changes,
  };
  for (const [name, text] of Object.entries(entries)) {
    await user.clear(field(name));
    if (text) await user.type(field(name), text);
  }
}

async function submit(changes?: Partial<Record<string, string>>) {
  await fill(changes);
  await user.click(button());
}

function storePendingLink() {
  const link = { ...generatedLink({ shortCode: "kept222" }), returnPath: "/dashboard" };
  sessionStorage.setItem("pendingLink", JSON.stringify(link));
}
const pendingLink = () => sessionStorage.getItem("pendingLink");

describe("a sign-up", () => {
  // Specification 2.2, 2.27
  test("creates the account, claims the link, shows a toast and goes to the dashboard", async () => {
    const signUp = vi.spyOn(identity, "signUp");
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(toast()).toBe(SUCCESS);
    expect(signUp.mock.calls).toMatchObject([[{ email: CLARA.email, username: "Clara", password: "secret1" }]]);
    expect(accounts.calls()).toEqual(["PATCH /api/links/kept222"]);
    expect(accounts.requests[0]?.body).toEqual({ userId: 2 });
    expect(pendingLink()).toBeNull();
  });

  test("is submitted once by Enter", async () => {
    const signUp = vi.spyOn(identity, "signUp");
    await open();
    await fill();
    await user.type(field("Confirm password"), "{Enter}{Enter}");
    await dashboard();
    expect(signUp).toHaveBeenCalledOnce();
  });

  test("keeps the focus while pending", async () => {
    vi.spyOn(identity, "signUp").mockReturnValue(new Promise(() => {}));
    await open();
    await submit();
    await waitFor(() => expect(button().getAttribute("aria-busy")).toBe("true"));
    expect(document.activeElement).toBe(button());
    await user.click(button());
    expect(identity.signUp).toHaveBeenCalledOnce();
  });

  test("announces that the link will be added to the account", async () => {
    storePendingLink();
    await open();
    expect(screen.getByText("The link you created in this browser will be on your dashboard.")).toBeTruthy();
  });

  test("continues after a lost reply", async () => {
    user = useFakeClock();
    vi.spyOn(identity, "signUp").mockRejectedValueOnce(
      new ProviderUnavailableError({ cause: new NetworkError("lost") }),
    );
    await open();
    await submit();
    await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
    expect(toast()).toBe(SUCCESS);
  });

  test("trims username and email, but not the password", async () => {
    const signUp = vi.spyOn(identity, "signUp");
    await open();
    await submit({ Username: "  Clara ", Email: ` ${CLARA.email} `, Password: " secret " });
    await dashboard();
    expect(signUp.mock.calls[0]?.[0]).toMatchObject({ email: CLARA.email, password: " secret " });
    expect([...accounts.users.values()].at(-1)?.username).toBe("Clara");
  });
});

describe("a link that cannot be claimed", () => {
  const CLAIM_PATH = "/api/links/:shortCode";

  // Specification 8.16
  test.each([
    ["410", errorReply(410, "This link has expired.")],
    ["404", errorReply(404, "Link not found.")],
  ])("after %s is forgotten without a word: it no longer exists", async (_case, reply) => {
    respondOnceWith("patch", CLAIM_PATH, reply);
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(toast()).toBe(SUCCESS);
    expect(pendingLink()).toBeNull();
  });

  // Specification 8.16
  test("after 403 is reported in the same toast", async () => {
    const warnings = catchLogs("warn");
    respondOnceWith("patch", CLAIM_PATH, errorReply(403, "You are not allowed to do this."));
    storePendingLink();
    await open();
    await submit();
    await dashboard();
    expect(toast()).toBe(`${SUCCESS}Failed to associate link with user`);
    expect(warnings()).toEqual(["HttpError: 403: You are not allowed to do this."]);
    expect(JSON.parse(pendingLink() ?? "{}").shortCode).toBe("kept222");
  });

  test.each([
    ["503", errorReply(503, "Unavailable")],
    ["a lost reply", networkError],
  ])("after %s is retried once and kept for the next login", async (_case, reply) => {
    user = useFakeClock();
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("patch", CLAIM_PATH, reply, reply);
    storePendingLink();
    await open();
    await submit();
    await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
    expect(repliesSent()).toBe(2);
    expect(toast()).toBe(`${SUCCESS}Failed to associate link with user`);
    expect(warnings()).toHaveLength(1);
    expect(pendingLink()).not.toBeNull();
  });

  test("at first is claimed by the second attempt", async () => {
    user = useFakeClock();
    respondOnceWith("patch", CLAIM_PATH, errorReply(503, "Unavailable"));
    storePendingLink();
    await open();
    await submit();
    await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
    expect(toast()).toBe(SUCCESS);
    expect(pendingLink()).toBeNull();
  });
});

describe("the fields", () => {
  // Specification 5.7
  test.each([
    ["Username", "Jo", "Username must be at least 3 characters"],
    ["Username", "  Jo  ", "Username must be at least 3 characters"],
    ["Email", "clara", "Please enter a valid email address"],
    ["Password", "12345", "Password must be at least 6 characters"],
    ["Confirm password", "secret2", "Passwords do not match"],
  ])("reject and focus %s with %o", async (name, text, message) => {
    const signUp = vi.spyOn(identity, "signUp");
    await open();
    await submit({ [name]: text });
    await waitFor(() => expect(error(name)).toBe(message));
    expect(field(name).getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field(name));
    expect(signUp).not.toHaveBeenCalled();
  });

  // Specification 5.8
  test("show both password errors if they differ and the first is too short", async () => {
    await open();
    await submit({ Password: "12345", "Confirm password": "123456" });
    await waitFor(() => expect(error("Password")).toBe("Password must be at least 6 characters"));
    expect(error("Confirm password")).toBe("Passwords do not match");
    expect(document.activeElement).toBe(field("Password"));
  });

  test("that are empty all show errors, and the first is focused", async () => {
    await open();
    await user.click(button());
    await waitFor(() => expect(error("Username")).toBe("Username must be at least 3 characters"));
    expect(error("Email")).toBe("Please enter a valid email address");
    expect(error("Password")).toBe("Password must be at least 6 characters");
    expect(error("Confirm password")).toBe("Please confirm your password");
    expect(document.activeElement).toBe(field("Username"));
  });

  test("clear an error once the value is valid", async () => {
    await open();
    await submit({ Email: "clara" });
    await waitFor(() => expect(error("Email")).not.toBe(""));
    await user.type(field("Email"), "@example.com");
    await waitFor(() => expect(error("Email")).toBe(""));
  });

  // Specification 2.26
  test("have autocomplete attributes for password managers", async () => {
    await open();
    const tokens = ["Username", "Email", "Password", "Confirm password"].map((name) =>
      field(name).getAttribute("autocomplete"),
    );
    expect(tokens).toEqual(["nickname", "email", "new-password", "new-password"]);
  });

  // Specification 2.26
  test("show and hide each password with a button", async () => {
    await open();
    for (const name of ["Password", "Confirm password"]) {
      await user.click(screen.getByRole("button", { name: `Show ${name.toLowerCase()}` }));
      expect(field(name).type).toBe("text");
      await user.click(screen.getByRole("button", { name: `Hide ${name.toLowerCase()}` }));
      expect(field(name).type).toBe("password");
    }
  });
});

describe("a failure", () => {
  async function expectFailure() {
    await waitFor(() => expect(toast()).toBe(FAILURE));
    await waitFor(() => expect(button().getAttribute("aria-busy")).toBe("false"));
  }

  test.each([
    ["username-taken", "Username", "This username is already taken."],
    ["email-taken", "Email", "This email address is already in use."],
  ] as const)("with %s is shown at its field, and the next attempt succeeds", async (code, name, message) => {
    const warnings = catchLogs("warn");
    vi.spyOn(identity, "signUp").mockRejectedValueOnce(new HttpError(409, message, code));
    await open();
    await submit();
    await expectFailure();
    expect(error(name)).toBe(message);
    expect(document.activeElement).toBe(field(name));
    expect(warnings()).toHaveLength(1);
    await submit();
    await dashboard();
  });

  // Specification 5.11, 8.28
  test.each([
    ["auth/email-already-in-use", "Email", "This email address is already in use."],
    ["auth/invalid-email", "Email", "Please enter a valid email address"],
    ["auth/weak-password", "Password", "Please choose a stronger password."],
  ])("with %s is shown at its field", async (code, name, message) => {
    const warnings = catchLogs("warn");
    vi.spyOn(identity, "signUp").mockRejectedValue(providerError(code));
    await open();
    await submit();
    await expectFailure();
    expect(error(name)).toBe(message);
    expect(document.activeElement).toBe(field(name));
    expect(warnings()).toEqual([`Error: Firebase: Error (${code}).`]);
  });

  // Specification 8.14, 8.28
  test.each([
    ["auth/too-many-requests", /^Too many attempts/],
    ["auth/network-request-failed", /^The login service could not be reached/],
  ])("with %s shows its cause in the form", async (code, message) => {
    const warnings = catchLogs("warn");
    vi.spyOn(identity, "signUp").mockRejectedValue(providerError(code));
    await open();
    await submit();
    await expectFailure();
    expect(screen.getByText(message).getAttribute("role")).toBe("alert");
    expect(warnings()).toHaveLength(1);
  });

  // Specification 8.14
  test("without a provider is logged and shown", async () => {
    const warnings = catchLogs("warn");
    await open("unavailable");
    await submit();
    await expectFailure();
    expect(screen.getByText(/^The login service could not be reached/)).toBeTruthy();
    expect(new Set(warnings())).toEqual(new Set(["ProviderUnavailableError: The identity provider is not available"]));
  });
});

// Specification 8.15
test("a failure of the backend keeps the form and is explained", async () => {
  user = useFakeClock();
  const warnings = catchLogs("warn");
  const cause = new HttpError(500, "Something went wrong.");
  vi.spyOn(identity, "signUp").mockRejectedValue(new Error("Failed to sync user with backend", { cause }));
  await open();
  await submit();
  await advanceUntil(() => toast() === FAILURE);
  expect(screen.getByRole("heading", { name: "Create your account" })).toBeTruthy();
  expect(screen.getByText("Failed to sync with backend").getAttribute("role")).toBe("alert");
  expect(warnings()).toEqual(["Error: Failed to sync user with backend"]);
});

// Specification 2.28
test("links to the login page", async () => {
  await open();
  await user.click(screen.getByRole("link", { name: "Login instead" }));
  expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
});

test("redirects signed-in users to the dashboard", async () => {
  await renderApp("/signup", { identity: fakeIdentityProvider(identityFor("anna@example.com")) });
  await dashboard();
});

describe("an invitation", () => {
  const TOKEN = "a-token-of-20-letters";
  const changes = { signUp: "invitation" as const };

  test("is required where sign-up is by invitation", async () => {
    await renderApp("/signup", { identity, changes });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "You need an invitation to create an account here. Open the link that you got from the operator of this site.",
    );
    expect(screen.queryByLabelText("Email")).toBeNull();
  });

  test("is kept for a user who is signed in", async () => {
    const anna = fakeIdentityProvider(identityFor("anna@example.com"));
    rememberSignIn(true);
    await renderApp(`/signup?invitation=${TOKEN}`, { identity: anna, changes });
    await dashboard();
    expect(sessionStorage.getItem("invitation")).toBe(TOKEN);
  });

  test.each([
    ["in place of the form", "invitation", false],
    ["in the form, which can be sent again without it", "open", true],
  ] as const)("that is not valid is reported %s", async (_case, signUp, hasForm) => {
    const warnings = catchLogs("warn");
    const refusal = new HttpError(403, messages.invitationInvalid, "invitation-invalid");
    vi.spyOn(identity, "signUp").mockRejectedValue(refusal);
    await renderApp(`/signup?invitation=${TOKEN}`, { identity, changes: { signUp } });
    await screen.findByLabelText("Email");
    await submit();
    expect(await screen.findByText(messages.invitationInvalid)).toBeTruthy();
    expect(screen.queryByLabelText("Email") !== null).toBe(hasForm);
    expect(sessionStorage.getItem("invitation")).toBeNull();
    expect(warnings()).toHaveLength(1);
  });
});

test("sign-up has no form where it is closed", async () => {
  await renderApp("/signup", { identity, changes: { signUp: "closed" } });
  expect((await screen.findByRole("alert")).textContent).toBe(messages.signUpClosed);
});

test("a password of a public list is reported at its field", async () => {
  const warnings = catchLogs("warn");
  const refusal = new HttpError(422, messages.passwordBreached, "breached-password");
  vi.spyOn(identity, "signUp").mockRejectedValue(refusal);
  await open();
  await submit();
  await waitFor(() => expect(error("Password")).toBe(messages.passwordBreached));
  expect(warnings()).toHaveLength(1);
});
