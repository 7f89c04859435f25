import type { AmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import { exportAccount } from "@tapthru/proto/own-account";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { dayOf } from "../../lib/dates.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { button, click, heading, link } from "../../testing/controls.ts";
import { exampleOf } from "../../testing/examples.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { failure, heldReplies, problem, serve } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

const EMAIL = ANNA.email;
beforeEach(() => void serve("GET /api/compliance-report", () => ({ linkCount: 0, violationCount: 0, violations: [] })));

test("lists what breaks Amazon's rules, worst first, and downloads the answer as a page", async () => {
  const violations = [
    { kind: "amazon-in-name", object: "amazon.example", shortCode: null },
    { kind: "wrong-tag", object: "anna-20", shortCode: "lampcod" },
  ];
  const files = catchFiles();
  serve("GET /api/compliance-report", ({ headers }) =>
    headers.get("accept")?.startsWith("text/html")
      ? new HttpResponse("<h1>Answer</h1>")
      : { linkCount: 41, violationCount: 2, violations },
  );
  await openAsUser("/account/data");
  await screen.findByText("2 violations in 41 links, worst first:");
  expect((await link("lampcod")).getAttribute("href")).toBe("/link/lampcod");
  await click("Download the report");
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toBe(`compliance-report-${dayOf(new Date())}.html`);
  expect(await files[0]?.file.text()).toContain("<h1>Answer</h1>");
});

test("the download saves the api's response as a file named by date, and waits 5 minutes for it", async () => {
  const data = exampleOf(exportAccount);
  const files = catchFiles();
  serve("GET /api/account/export", () => data);
  await openAsUser("/account/data");
  const timeout = vi.spyOn(AbortSignal, "timeout");
  await click("Download your data");
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toBe(`tapthru-account-${dayOf(new Date())}.json`);
  expect(JSON.parse((await files[0]?.file.text()) ?? "")).toEqual(data);
  expect(timeout).toHaveBeenCalledWith(300_000);
});

describe("deleting the account", () => {
  const FAILED = "ErrorFailed to delete your account. Please try again.";
  const DELETED = "SuccessYour account has been deleted.";
  let identity: FakeIdentityProvider;
  const serveDeletion = (reply: () => unknown) => serve("DELETE /api/account", reply);
  const dialog = () => within(screen.getByRole("dialog"));
  const press = (name: string) => userEvent.click(dialog().getByRole("button", { name }));
  const field = () => dialog().getByLabelText(`Type ${EMAIL} to confirm`);

  /** Opens the page and its dialog. @param typed as a confirmation */
  async function open(typed = "", provider = fakeIdentityProvider(ANNA)) {
    identity = provider;
    await openAsUser("/account/data", { identity });
    await click("Delete account");
    if (typed) await userEvent.type(field(), typed);
  }

  test("names the effect, and needs the account's email address, also if the provider has another", async () => {
    const sent = serveDeletion(() => ({}));
    await open("other@example.com", fakeIdentityProvider({ ...ANNA, email: "anna.new@example.com" }));
    expect(dialog().getByText(/All your short links stop working, wherever you shared them\./)).toBeTruthy();
    await press("Delete account");
    expect(dialog().getByText("This is not your account's email address.")).toBeTruthy();
    expect(document.activeElement).toBe(field());
    await press("Cancel");
    await click("Delete account");
    expect([field(), sent]).toMatchObject([{ value: "" }, []]);
  });

  test("the deletion after an old login needs the password, and deletes nothing with a wrong one", async () => {
    let [isConfirmed, isRecent] = [false, false];
    serveDeletion(() => (isRecent ? {} : problem("recent-login-required")));
    const provider = fakeIdentityProvider(ANNA);
    vi.spyOn(provider, "restore").mockImplementation(async () => {
      isRecent = isConfirmed;
      return null;
    });
    const reauthenticate = vi.spyOn(provider, "reauthenticate");
    reauthenticate.mockRejectedValueOnce(providerError("auth/wrong-password"));
    reauthenticate.mockImplementation(async () => {
      isConfirmed = true;
    });
    await open(`${EMAIL}{Enter}`, provider);
    const password = await dialog().findByLabelText("Current password");
    await waitFor(() => expect(document.activeElement).toBe(password));
    await userEvent.keyboard("{Enter}");
    expect(await dialog().findByText("Please enter your current password")).toBeTruthy();
    await userEvent.type(password, "wrong{Enter}");
    expect(await dialog().findByText("This is not your current password.")).toBeTruthy();
    expect([document.activeElement, isRecent]).toEqual([password, false]);
    await userEvent.clear(password);
    await userEvent.type(password, "secret{Enter}");
    await findToast(DELETED);
    expect(reauthenticate).toHaveBeenLastCalledWith(EMAIL, "secret", "");
    expect(identity.current()).toBeNull();
  });

  test.each([
    ["a 401", 401, DELETED, true],
    ["no other error", 503, FAILED, false],
  ])("counts %s as success after a lost response", async (_case, status, text, isLoggedOut) => {
    serveDeletion(() => HttpResponse.error());
    await open(`${EMAIL}{Enter}`);
    await findToast(FAILED);
    expect(screen.queryByRole("dialog")).toBeNull();
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
    const provider = fakeIdentityProvider(ANNA);
    vi.spyOn(provider, "restore").mockRejectedValue(new Error("No."));
    const warnings = catchLogs("warn");
    await open(`${EMAIL}{Enter}`, provider);
    await findToast(FAILED);
    expect(await button("Delete account")).toBeTruthy();
    expect(warnings()).toEqual(["Error: No."]);
  });
});

describe("Amazon Ads", () => {
  const AMAZON = "https://www.amazon.com/ap/oa?state=abc";
  const CONNECTION: AmazonAdsConnection = {
    accountName: "Anna Advertiser",
    accountEmail: "anna@amazon.example",
    connectedAt: "2026-11-20T08:00:00.000Z",
  };
  const LOGIN = "Login with Amazon";
  /** The connection on the server. */
  let connection: AmazonAdsConnection | null;
  let visitedUrls: string[];

  beforeEach(() => {
    connection = null;
    visitedUrls = [];
    vi.spyOn(location, "assign").mockImplementation((address) => void visitedUrls.push(String(address)));
    serve("GET /api/amazon-ads/connection", () => ({ connection }));
  });
  const open = (query = "") => openAsUser(`/amazon-ads-auth${query}`);

  // Specification 2.4, 2.58, 2.59
  test("explains Amazon Ads; the login sends one request, stays busy until the browser has left, and can be repeated", async () => {
    const { released, release } = heldReplies();
    const requests = serve("GET /api/amazon-ads/auth-url", () => released.then(() => ({ url: AMAZON })));
    await open();
    await heading("Connect Amazon Ads");
    expect(screen.getByText("Login with your Amazon account to connect your advertising data")).toBeTruthy();
    const policy = await link(/^Privacy policy for the Amazon Ads/);
    expect(policy.getAttribute("href")).toBe("/privacy/amazon-ads-api");
    await userEvent.dblClick(await button(LOGIN));
    await click("Connecting...");
    release();
    await waitFor(() => expect(visitedUrls).toEqual([AMAZON]));
    await click("Connecting...");
    expect([visitedUrls, requests.length]).toEqual([[AMAZON], 1]);
    act(() => void dispatchEvent(new Event("pageshow")));
    await click(LOGIN);
    await waitFor(() => expect(visitedUrls).toHaveLength(2));
  });

  // Specification 8.25
  test("shows an error when the login cannot be started", async () => {
    serve("GET /api/amazon-ads/auth-url", () => failure());
    await open();
    await click(LOGIN);
    await findToast("ErrorFailed to initiate Amazon login. Please try again.");
    await button(LOGIN);
    expect(visitedUrls).toEqual([]);
  });

  test.each([
    ["connected", null],
    ["<b>", null],
    ["denied", "You didn't allow access at Amazon, so nothing was connected."],
    ["failed", "Amazon Ads could not be connected. Please try again."],
  ])("a return from Amazon with the result %s connects nothing, and says: %s", async (result, text) => {
    await open(`?result=${result}`);
    await button(LOGIN);
    expect(screen.queryByRole("alert")?.textContent ?? null).toBe(text);
    expect(toast()).toBeFalsy();
  });

  test("shows the connected account, which may have no name", async () => {
    connection = { ...CONNECTION, accountName: null };
    await open();
    await screen.findByText("Connected as anna@amazon.example");
    expect(screen.getByText("Connected since November 20, 2026")).toBeTruthy();
    expect(screen.queryByRole("button", { name: LOGIN })).toBeNull();
    const apps = await link("Manage Login with Amazon");
    expect(apps.getAttribute("href")).toBe("https://www.amazon.com/ap/adam");
  });
});
