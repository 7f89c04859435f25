import { messages } from "@tapthru/proto/rules/messages";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const ANNA = identityFor("anna@example.com");

let user: ReturnType<typeof userEvent.setup>;
let bodies: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  bodies = [];
});

function serve(path: string, reply: () => Response) {
  server.use(
    http.put(`/api/auth/${path}`, async ({ request }) => {
      bodies.push(await request.json());
      return reply();
    }),
  );
}

describe("the page that sets a new password", () => {
  async function fill(password = "another secret", confirmed = password) {
    await user.type(await screen.findByLabelText("New password"), password);
    await user.type(screen.getByLabelText("Confirm new password"), `${confirmed}{Enter}`);
  }
  const open = () => renderApp("/reset-password#token=abc");

  test("sends it with the token of the email, and goes to the login", async () => {
    serve("password-reset", () => HttpResponse.json({}));
    await open();
    await fill();
    await findToast("Your password has been changed. You can log in with it now.");
    expect(bodies).toEqual([{ token: "abc", password: "another secret", revokesKeys: false }]);
    expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
  });

  test("names the user's API keys, and revokes them if the user wants", async () => {
    server.use(
      http.post("/api/auth/password-reset/keys", () => HttpResponse.json({ names: ["Nightly script", "Blog"] })),
    );
    serve("password-reset", () => HttpResponse.json({}));
    await open();
    await user.click(await screen.findByRole("checkbox", { name: /Nightly script, Blog$/ }));
    await fill();
    await findToast("Your password has been changed. You can log in with it now.");
    expect(bodies).toMatchObject([{ revokesKeys: true }]);
  });

  test("logs out a user whose logins have ended with it", async () => {
    serveAccounts(ANNA.email);
    serve("password-reset", () => HttpResponse.json({}));
    const identity = fakeIdentityProvider(ANNA);
    await renderApp("/reset-password#token=abc", { identity });
    await identity.signOut();
    await fill();
    expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
  });

  test("does not report a failure after it was sent", async () => {
    const warnings = catchLogs("warn");
    serve("password-reset", () => HttpResponse.json({}));
    const identity = fakeIdentityProvider(ANNA);
    await renderApp("/reset-password#token=abc", { identity });
    server.use(http.get("/api/session", () => new HttpResponse("No.", { status: 403 })));
    await fill();
    await findToast("Your password has been changed. You can log in with it now.");
    expect(warnings()).toHaveLength(1);
  });

  test("says that it may have been set if no reply arrives", async () => {
    serve("password-reset", () => HttpResponse.error());
    await open();
    await fill();
    expect(
      await screen.findByText("No reply arrived. Your password may have been changed: please try to log in with it."),
    ).toBeTruthy();
  });

  test.each([
    ["an expired link", "email-link-invalid", messages.emailLinkInvalid],
    ["a password of a public list", "breached-password", messages.passwordBreached],
    ["too many attempts", "too-many-requests", "Too many attempts. Please wait a few minutes and try again."],
    ["an outage", "unavailable", "Failed to change your password. Please try again."],
  ] as const)("explains %s", async (_case, code, message) => {
    serve("password-reset", () => problem(code));
    await open();
    await fill();
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test("requires the password twice", async () => {
    await open();
    await fill("another secret", "a typing error");
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    expect(bodies).toEqual([]);
  });
});

describe("the page that confirms an email address", () => {
  const confirm = async () => user.click(await screen.findByRole("button", { name: "Confirm email" }));

  test("does so by a button", async () => {
    serve("email-confirmation", () => HttpResponse.json({}));
    await renderApp("/confirm-email#token=abc");
    await screen.findByRole("button", { name: "Confirm email" });
    expect(bodies).toEqual([]);
    await confirm();
    const result = await screen.findByText("Your email address is confirmed.");
    expect(document.activeElement).toBe(result);
    expect(bodies).toEqual([{ token: "abc" }]);
  });

  test("explains an expired link", async () => {
    serve("email-confirmation", () => problem("email-link-invalid"));
    await renderApp("/confirm-email#token=abc");
    await confirm();
    expect((await screen.findByRole("alert")).textContent).toBe(messages.emailLinkInvalid);
  });
});
