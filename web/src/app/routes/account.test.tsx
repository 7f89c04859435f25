import { AccountExport, exportAccount } from "@tapthru/proto/own-account";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { problem } from "../../testing/accounts-server.ts";
import { apiKey } from "../../testing/api-key.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { answer, button, click, question, section } from "../../testing/controls.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const EMAIL = ANNA.email;
const session = (changes: object) => ({
  id: "a".repeat(22),
  createdAt: "2026-11-18T12:00:00.000Z",
  lastSeenAt: "2026-11-20T12:00:00.000Z",
  userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/138.0.0.0 Safari/537.36",
  isCurrent: false,
  ...changes,
});

let identity: FakeIdentityProvider;
beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
});

const startPage = () => screen.findByRole("heading", { name: /^Amazon links that/ });

describe("the sessions", () => {
  beforeEach(() => {
    const other = { id: "b".repeat(22), userAgent: null, lastSeenAt: "2026-11-19T12:00:00.000Z" };
    serve("GET /api/sessions", () => [session({ isCurrent: true }), session(other)]);
  });
  const open = () => openAsUser("/account/security", { identity });
  const sessions = async () => (await section("Where you are logged in")).findAllByRole("listitem");

  test("are listed, and the current one is marked", async () => {
    await open();
    expect((await sessions()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Chrome on WindowsThis browserLast used Nov 20.* logged in Nov 18/),
      expect.stringMatching(/^Unknown browserLast used Nov 19.* logged in Nov 18/),
    ]);
  });

  test("all end after a question, with the API keys if the user wants, by buttons that are not red", async () => {
    serve("GET /api/keys", () => [apiKey()]);
    const sent = serve("DELETE /api/sessions", () => ({ ended: 2 }));
    const logouts = serve("POST /api/logout", () => ({ redirectUrl: null }));
    await open();
    await click("Log out everywhere");
    await userEvent.click(await screen.findByRole("checkbox", { name: /Nightly script$/ }));
    for (const { className } of screen.getAllByRole("button", { name: "Log out everywhere", hidden: true })) {
      expect(className).not.toContain("danger");
    }
    await answer("Log out everywhere");
    await startPage();
    await findToast("SuccessYou have been logged out successfully.");
    expect([sent, logouts.length, identity.current()]).toEqual([["?revokesKeys=true"], 1, null]);
    expect(screen.queryByRole("link", { name: "Your account" })).toBeNull();
  });

  test.each([
    ["the api", () => serve("DELETE /api/sessions", () => failure())],
    [
      "the provider",
      () => {
        vi.spyOn(identity, "signOut").mockRejectedValue(providerError("auth/internal-error"));
        serve("DELETE /api/sessions", () => ({ ended: 2 }));
      },
    ],
  ])("stay if %s fails, and the dialog, which would cover the error, closes", async (_case, prepare) => {
    prepare();
    await open();
    await click("Log out everywhere");
    await answer("Log out everywhere");
    await findToast("ErrorFailed to log out. Please try again.");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(await sessions()).toHaveLength(2);
    expect(identity.current()).not.toBeNull();
  });
});

describe("the list of sections", () => {
  const list = async () =>
    within(await screen.findByRole("navigation", { name: "Your account" })).findAllByRole("link");
  const tabs = (name: string) =>
    within(screen.getByRole("navigation", { name }))
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));

  test("links to each section, marks the current one, and has Amazon Ads where it is configured", async () => {
    await openAsUser("/account/security", { changes: { hasAmazonAds: true } });
    const links = await list();
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Profile", "/account"],
      ["Security", "/account/security"],
      ["Notifications", "/account/notifications"],
      ["Members", "/account/members"],
      ["Sharing", "/account/stores"],
      ["Developers", "/account/developers"],
      ["Data", "/account/data"],
    ]);
    const current = () => links.filter((link) => link.hasAttribute("aria-current")).map((link) => link.textContent);
    expect(current()).toEqual(["Security"]);
    await userEvent.click(screen.getByRole("link", { name: "Data" }));
    await screen.findByRole("heading", { level: 1, name: "Your data" });
    expect(current()).toEqual(["Data"]);
    expect(tabs("Data")).toEqual(["/account/data", "/account/activity", "/amazon-ads-auth"]);
  });

  test("is beside the guide to sharing for users, not for visitors", async () => {
    const visitor = fakeIdentityProvider();
    await renderApp("/share", { identity: visitor });
    await screen.findByRole("heading", { name: "Share links from other apps" });
    expect(screen.queryByRole("navigation", { name: "Your account" })).toBeNull();
    visitor.setIdentity(ANNA);
    await list();
    expect(tabs("Sharing")).toEqual(["/account/stores", "/account/experiments", "/share"]);
  });
});

describe("the download", () => {
  test("saves the api's response as a file named by date, and waits 5 minutes for it", async () => {
    const data = z.parse(AccountExport, exportAccount.example.replies[200]);
    const files = catchFiles();
    serve("GET /api/account/export", () => data);
    await openAsUser("/account/data");
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    await click("Download your data");
    await waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]?.name).toBe(`tapthru-account-${data.exportedAt.slice(0, 10)}.json`);
    expect(JSON.parse((await files[0]?.file.text()) ?? "")).toEqual(data);
    expect(timeout).toHaveBeenCalledWith(300_000);
  });

  test("shows an error and saves nothing when it fails", async () => {
    const files = catchFiles();
    serve("GET /api/account/export", () => failure());
    await openAsUser("/account/data");
    await click("Download your data");
    await findToast("ErrorYour data could not be downloaded. Please try again.");
    expect(files).toEqual([]);
  });
});

describe("deleting the account", () => {
  const FAILED = "ErrorFailed to delete your account. Please try again.";
  const DELETED = "SuccessYour account has been deleted.";
  const serveDeletion = (reply: () => unknown) => serve("DELETE /api/account", reply);
  const field = () => question().getByLabelText(`Type ${EMAIL} to confirm`);

  async function open() {
    await openAsUser("/account/data", { identity });
    await click("Delete account");
  }

  test("names the effect, and needs the account's email address, also if the provider has another", async () => {
    const sent = serveDeletion(() => ({}));
    identity = fakeIdentityProvider({ ...ANNA, email: "anna.new@example.com" });
    await open();
    expect(question().getByText(/All your short links stop working, wherever you shared them\./)).toBeTruthy();
    await userEvent.type(field(), "other@example.com");
    await answer("Delete account");
    expect(question().getByText("This is not your account's email address.")).toBeTruthy();
    expect(document.activeElement).toBe(field());
    await answer("Cancel");
    await click("Delete account");
    expect(field()).toHaveProperty("value", "");
    expect(sent).toEqual([]);
  });

  test("logs out and says so on the start page, once for two clicks", async () => {
    const sent = serveDeletion(() => ({}));
    await open();
    await userEvent.type(field(), ` ${EMAIL.toUpperCase()}`);
    const confirmed = question().getByRole("button", { name: "Delete account" });
    fireEvent.click(confirmed);
    fireEvent.click(confirmed);
    await startPage();
    await findToast(DELETED);
    expect([identity.current(), sent]).toEqual([null, [{ email: EMAIL.toUpperCase() }]]);
  });

  describe("after a login that is not recent", () => {
    let isConfirmed: boolean;
    let isRecent: boolean;
    beforeEach(async () => {
      isConfirmed = false;
      isRecent = false;
      serveDeletion(() => (isRecent ? {} : problem("recent-login-required")));
      vi.spyOn(identity, "restore").mockImplementation(async () => {
        isRecent = isConfirmed;
        return null;
      });
      vi.spyOn(identity, "reauthenticate").mockImplementation(async () => {
        isConfirmed = true;
      });
      await open();
      await userEvent.type(field(), `${EMAIL}{Enter}`);
    });
    const passwordField = () => question().findByLabelText("Current password");

    test("asks for the password, logs in with it and deletes the account", async () => {
      await waitFor(async () => expect(document.activeElement).toBe(await passwordField()));
      await userEvent.type(await passwordField(), "secret{Enter}");
      await findToast(DELETED);
      expect(identity.reauthenticate).toHaveBeenCalledWith(EMAIL, "secret", "");
      expect(identity.current()).toBeNull();
    });

    test("deletes nothing with a wrong password, which it says at the field", async () => {
      vi.spyOn(identity, "reauthenticate").mockRejectedValue(providerError("auth/wrong-password"));
      await userEvent.type(await passwordField(), "{Enter}");
      expect(await question().findByText("Please enter your current password")).toBeTruthy();
      await userEvent.type(await passwordField(), "wrong{Enter}");
      expect(await question().findByText("This is not your current password.")).toBeTruthy();
      expect(document.activeElement).toBe(await passwordField());
      expect(isRecent).toBe(false);
    });
  });

  test.each([
    ["a 401", 401, DELETED, true],
    ["no other error", 503, FAILED, false],
  ])("counts %s as success after a lost response", async (_case, status, text, isLoggedOut) => {
    serveDeletion(() => HttpResponse.error());
    await open();
    await userEvent.type(field(), `${EMAIL}{Enter}`);
    await findToast(FAILED);
    expect(screen.queryByRole("alertdialog")).toBeNull();
    vi.spyOn(identity, "restore").mockResolvedValue(null);
    const sent = serveDeletion(() => failure(status));
    await click("Delete account");
    await userEvent.type(field(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(sent).toHaveLength(1));
    await findToast(text);
    expect(identity.current() === null).toBe(isLoggedOut);
  });

  test("shows an error when the user was logged out elsewhere", async () => {
    serveDeletion(() => failure(401));
    vi.spyOn(identity, "restore").mockRejectedValue(new Error("No."));
    const warnings = catchLogs("warn");
    await open();
    await userEvent.type(field(), `${EMAIL}{Enter}`);
    await findToast(FAILED);
    expect(await button("Delete account")).toBeTruthy();
    expect(warnings()).toEqual(["Error: No."]);
  });
});
