import type { AmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { answer, button, click } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

const AMAZON = "https://www.amazon.com/ap/oa?state=abc";
const CONNECTION: AmazonAdsConnection = {
  accountName: "Anna Advertiser",
  accountEmail: "anna@amazon.example",
  connectedAt: "2026-11-20T08:00:00.000Z",
};

/** The connection on the server. */
let connection: AmazonAdsConnection | null;
let visitedUrls: string[];

beforeEach(() => {
  connection = null;
  visitedUrls = [];
  vi.spyOn(location, "assign").mockImplementation((address) => {
    visitedUrls.push(String(address));
  });
  serve("GET /api/amazon-ads/connection", () => ({ connection }));
});

const open = (query = "") => openAsUser(`/amazon-ads-auth${query}`);

// Specification 2.4, 2.58
test("without a connection, the page explains the integration and links to the policy", async () => {
  await open();
  await screen.findByRole("heading", { level: 1, name: "Connect Amazon Ads" });
  expect(screen.getByText("Login with your Amazon account to connect your advertising data")).toBeTruthy();
  const policy = screen.getByRole("link", { name: /^Privacy policy for the Amazon Ads/ });
  expect(policy.getAttribute("href")).toBe("/privacy/amazon-ads-api");
});

// Specification 2.59
test("the login sends one request, stays busy until the browser has left, and can be repeated after going back", async () => {
  const { released, release } = heldReplies();
  const requests = serve("GET /api/amazon-ads/auth-url", () => released.then(() => ({ url: AMAZON })));
  await open();
  await userEvent.dblClick(await button("Login with Amazon"));
  await click("Connecting...");
  release();
  await waitFor(() => expect(visitedUrls).toEqual([AMAZON]));
  await click("Connecting...");
  expect([visitedUrls, requests.length]).toEqual([[AMAZON], 1]);
  act(() => void dispatchEvent(new Event("pageshow")));
  await click("Login with Amazon");
  await waitFor(() => expect(visitedUrls).toHaveLength(2));
});

// Specification 8.25
test("an error is shown when the login cannot be started", async () => {
  serve("GET /api/amazon-ads/auth-url", () => failure());
  await open();
  await click("Login with Amazon");
  await findToast("ErrorFailed to initiate Amazon login. Please try again.");
  await button("Login with Amazon");
  expect(visitedUrls).toEqual([]);
});

test("after the return from Amazon, a toast confirms the connection once it is displayed", async () => {
  connection = CONNECTION;
  await open("?result=connected");
  await findToast("SuccessAmazon Ads is connected.");
  await screen.findByText("Connected as Anna Advertiser");
});

test.each([
  ["connected", null],
  ["<b>", null],
  ["denied", "You didn't allow access at Amazon, so nothing was connected."],
  ["failed", "Amazon Ads could not be connected. Please try again."],
])("after the return from Amazon without a connection, the result %s says: %s", async (result, text) => {
  await open(`?result=${result}`);
  await button("Login with Amazon");
  expect(screen.queryByRole("alert")?.textContent ?? null).toBe(text);
  expect(toast()).toBeFalsy();
});

test("a connection is shown with its account, which may have no name", async () => {
  connection = { ...CONNECTION, accountName: null };
  await open();
  await screen.findByRole("heading", { level: 1, name: "Amazon Ads" });
  await screen.findByText("Connected as anna@amazon.example");
  for (const text of ["Connected since November 20, 2026", "We don't read campaign figures."]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.queryByRole("button", { name: "Login with Amazon" })).toBeNull();
  const apps = screen.getByRole("link", { name: "Manage Login with Amazon" });
  expect(apps.getAttribute("href")).toBe("https://www.amazon.com/ap/adam");
});

test("a connection ends after a question, unless that fails", async () => {
  connection = CONNECTION;
  serve("DELETE /api/amazon-ads/connection", () => {
    connection = null;
    return {};
  });
  serve("DELETE /api/amazon-ads/connection", () => failure(), { once: true });
  await open();
  await click("Disconnect");
  await answer("Disconnect");
  await findToast("ErrorFailed to disconnect Amazon Ads. Please try again.");
  await screen.findByText("Connected as Anna Advertiser");
  await click("Disconnect");
  await answer("Disconnect");
  const login = await button("Login with Amazon");
  await findToast("Amazon Ads is disconnected.");
  expect(document.activeElement?.contains(login)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});
