import { ERRORS } from "@tapthru/proto/errors";
import { screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ProviderUnavailableError } from "../../features/session/failures.ts";
import { RETURNING, rememberSignIn } from "../../features/session/sign-in-memory.ts";
import { storeLink } from "../../features/session/stored-links.ts";
import type { Config } from "../../lib/config.ts";
import { HttpError, NetworkError } from "../../lib/http/http-client.ts";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { field, heading, noteOf } from "../../testing/controls.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { ANNA } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { findToast } from "../../testing/toast.ts";

const FAILURE = "ErrorFailed to create account. Please try again.";

let user: UserEvent;
let identity: FakeIdentityProvider;

beforeEach(() => {
  user = userEvent.setup();
  identity = fakeIdentityProvider();
  serveAccounts(ANNA.email);
});

const error = (name: string) => noteOf(field(name));

async function open(search = "", changes: Partial<Config> = {}) {
  await renderApp(`/signup${search}`, { identity, changes });
  await heading("Create your account");
}

async function submit(changes: Record<string, string> = {}) {
  const password = "secret1";
  const entries = {
    Username: "Clara",
    Email: "clara@example.com",
    Password: password,
    "Confirm password": password,
    ...changes,
  };
  for (const [name, text] of Object.entries(entries)) {
    await user.clear(field(name));
    if (text) await user.type(field(name), text);
  }
  await user.click(screen.getByRole("button", { name: "Sign up" }));
}

test("continues after a lost reply", async () => {
  user = useFakeClock();
  const cause = new NetworkError("lost");
  vi.spyOn(identity, "signUp").mockRejectedValueOnce(new ProviderUnavailableError({ cause }));
  storeLink(generatedLink());
  await open();
  expect(screen.getByText("The link you created in this browser will be on your dashboard.")).toBeTruthy();
  await submit();
  await advanceUntil(() => screen.queryByRole("heading", { name: "Your Links" }) !== null);
  await findToast("Your account has been created successfully.");
});

// Specification 5.7, 5.8
test.each([
  [{ Username: "  Jo  " }, { Username: "Username must be at least 3 characters" }],
  [{ "Confirm password": "secret2" }, { "Confirm password": "Passwords do not match" }],
  [
    { Password: "", "Confirm password": "" },
    { Password: "Password must be at least 6 characters", "Confirm password": "Please confirm your password" },
  ],
])("rejects %o", async (values, messages) => {
  const signUp = vi.spyOn(identity, "signUp");
  await open();
  await submit(values);
  await waitFor(() => expect(document.activeElement).toBe(field(Object.keys(messages)[0] ?? "")));
  for (const [name, message] of Object.entries(messages)) expect(error(name)).toBe(message);
  expect(signUp).not.toHaveBeenCalled();
});

// Specification 5.11, 8.14, 8.15, 8.28
test.each([
  [
    new HttpError(409, ERRORS["username-taken"].message, "username-taken"),
    "Username",
    "This username is already taken.",
  ],
  [new HttpError(409, ERRORS["email-taken"].message, "email-taken"), "Email", "This email address is already in use."],
  [providerError("auth/email-already-in-use"), "Email", "This email address is already in use."],
  [providerError("auth/invalid-email"), "Email", "Please enter a valid email address"],
  [providerError("auth/weak-password"), "Password", "Please choose a stronger password."],
  [
    new HttpError(422, ERRORS["breached-password"].message, "breached-password"),
    "Password",
    ERRORS["breached-password"].message,
  ],
  [providerError("auth/too-many-requests"), null, /^Too many attempts/],
  [
    new Error("Failed to sync user with backend", { cause: new HttpError(500, "Something went wrong.") }),
    null,
    /^Failed to sync with backend$/,
  ],
] as const)("%s is shown at its field or in the form: %s", async (cause, name, message) => {
  const warnings = catchLogs("warn");
  vi.spyOn(identity, "signUp").mockRejectedValue(cause);
  await open();
  await submit();
  await findToast(FAILURE);
  if (name === null) expect((await screen.findByText(message)).getAttribute("role")).toBe("alert");
  else {
    await waitFor(() => expect(document.activeElement).toBe(field(name)));
    expect(error(name)).toBe(message);
  }
  expect(warnings()).toHaveLength(1);
});

describe("an invitation", () => {
  const TOKEN = "a-token-of-20-letters";

  test("requires an invitation where sign-up is by invitation", async () => {
    await open("", { signUp: "invitation" });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "You need an invitation to create an account here. Open the link from the operator of this site.",
    );
    expect(screen.queryByLabelText("Email")).toBeNull();
  });

  test("keeps an invitation for a user who is signed in", async () => {
    rememberSignIn(RETURNING);
    const changes = { signUp: "invitation" } as const;
    await renderApp(`/signup?invitation=${TOKEN}`, { identity: fakeIdentityProvider(ANNA), changes });
    await heading("Your Links");
    expect(sessionStorage.getItem("invitation")).toBe(TOKEN);
  });

  test.each([
    ["in place of the form", "invitation", false],
    ["in the form, which can be sent again without it", "open", true],
  ] as const)("reports an invalid invitation %s", async (_case, signUp, hasForm) => {
    const warnings = catchLogs("warn");
    const refusal = new HttpError(403, ERRORS["invitation-invalid"].message, "invitation-invalid");
    vi.spyOn(identity, "signUp").mockRejectedValue(refusal);
    await open(`?invitation=${TOKEN}`, { signUp });
    await submit();
    expect(await screen.findByText(ERRORS["invitation-invalid"].message)).toBeTruthy();
    expect(screen.queryByLabelText("Email") !== null).toBe(hasForm);
    expect(sessionStorage.getItem("invitation")).toBeNull();
    expect(warnings()).toHaveLength(1);
  });
});

test("sign-up has no form where it is closed", async () => {
  await open("", { signUp: "closed" });
  expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["sign-up-closed"].message);
});
