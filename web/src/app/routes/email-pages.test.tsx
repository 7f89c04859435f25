import { ERRORS } from "@tapthru/proto/errors";
import { screen } from "@testing-library/react";
import { HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import { catchLogs } from "../../testing/catch-logs.ts";
import { check, click, fill, heading } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, problem, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

describe("the page that sets a new password", () => {
  const PATH = "/reset-password#token=abc";
  const CHANGED = "Your password has been changed. You can log in with it now.";
  const serveReset = (reply: () => unknown = () => ({})) => serve("PUT /api/auth/password-reset", reply);

  async function send() {
    await fill("New password", "another secret");
    await fill("Confirm new password", "another secret{Enter}");
  }

  test("sends it with the token of the email, revokes API keys if the user wants, and goes to the login", async () => {
    serve("POST /api/auth/password-reset/keys", () => ({ names: ["Nightly script", "Blog"] }));
    const sent = serveReset();
    await renderApp(PATH);
    await check(/Nightly script, Blog$/);
    await send();
    await findToast(CHANGED);
    expect(sent).toEqual([{ token: "abc", password: "another secret", revokesKeys: true }]);
    expect(await heading("Welcome back")).toBeTruthy();
  });

  test("logs out a user whose logins have ended with it", async () => {
    serveReset();
    const identity = await openAsUser(PATH);
    await identity.signOut();
    await send();
    expect(await heading("Welcome back")).toBeTruthy();
  });

  test("does not report a failure after it was sent", async () => {
    const warnings = catchLogs("warn");
    serveReset();
    await openAsUser(PATH);
    serve("GET /api/session", () => failure(403));
    await send();
    await findToast(CHANGED);
    expect(warnings()).toHaveLength(1);
  });

  const TOO_MANY = "Too many attempts. Please wait a few minutes and try again.";
  const LOST = "No reply arrived. Your password may have been changed: please try to log in with it.";
  test.each([
    ["an expired link", () => problem("email-link-invalid"), ERRORS["email-link-invalid"].message],
    ["a password of a public list", () => problem("breached-password"), ERRORS["breached-password"].message],
    ["too many attempts", () => problem("too-many-requests"), TOO_MANY],
    ["an outage", () => problem("unavailable"), "Failed to change your password. Please try again."],
    ["a lost reply", () => HttpResponse.error(), LOST],
  ])("explains %s", async (_case, reply, message) => {
    serveReset(reply);
    await renderApp(PATH);
    await send();
    expect(await screen.findByText(message)).toBeTruthy();
  });
});

test("the page that confirms an email address does so by a button, explains an expired link, and asks for the password without a login", async () => {
  const sent = serve("PUT /api/auth/email-confirmation", () => ({}));
  serve("PUT /api/auth/email-confirmation", () => problem("login-required"), { once: true });
  serve("PUT /api/auth/email-confirmation", () => problem("email-link-invalid"), { once: true });
  await renderApp("/confirm-email#token=abc");
  await click("Confirm email");
  expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["email-link-invalid"].message);
  await click("Confirm email");
  await fill("Password", "secret password{Enter}");
  const result = await screen.findByText("Your email address is confirmed.");
  expect(document.activeElement).toBe(result);
  expect(sent).toEqual([{ token: "abc", password: "secret password" }]);
});
