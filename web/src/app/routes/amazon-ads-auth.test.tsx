import type { AmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";

const ANNA = identityFor("anna@example.com");
const AMAZON = "https://www.amazon.com/ap/oa?state=abc";

const CONNECTION: AmazonAdsConnection = {
  accountName: "Anna Advertiser",
  accountEmail: "anna@amazon.example",
  connectedAt: "2026-11-20T08:00:00.000Z",
};

let user: ReturnType<typeof userEvent.setup>;
/** The connection on the server. */
let connection: AmazonAdsConnection | null;
let visitedUrls: string[];

beforeEach(() => {
  user = userEvent.setup();
  connection = null;
  visitedUrls = [];
  vi.spyOn(location, "assign").mockImplementation((address) => {
    visitedUrls.push(String(address));
  });
  serveAccounts(ANNA.email);
  server.use(http.get("/api/amazon-ads/connection", () => HttpResponse.json({ connection })));
});

const open = (query = "") => renderApp(`/amazon-ads-auth${query}`, { identity: fakeIdentityProvider(ANNA) });
const button = (name: string) => screen.findByRole<HTMLButtonElement>("button", { name });
const dialog = () => within(screen.getByRole("alertdialog", { hidden: true }));

/** Serves the auth URL after `release` is called. */
function serveAuthUrl(reply: () => Response = () => HttpResponse.json({ url: AMAZON })) {
  let requests = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  server.use(
    http.get("/api/amazon-ads/auth-url", async () => {
      requests += 1;
      await released;
      return reply();
    }),
  );
  return { requests: () => requests, release };
}

test("signed-out users are redirected to the login page and return afterwards", async () => {
  await renderApp("/amazon-ads-auth", { identity: fakeIdentityProvider() });
  await screen.findByRole("heading", { name: "Welcome back" });
  await user.type(screen.getByLabelText("Email"), ANNA.email ?? "");
  await user.type(screen.getByLabelText("Password"), "a long secret");
  await user.click(await button("Login"));
  await screen.findByRole("heading", { name: "Connect Amazon Ads" });
});

describe("without a connection", () => {
  // Specification 2.4, 2.58
  test("explains the integration and links to the policy", async () => {
    await open();
    await screen.findByRole("heading", { level: 1, name: "Connect Amazon Ads" });
    expect(document.title).toBe("Connect Amazon Ads - Tapthru");
    expect(screen.getByText("Login with your Amazon account to connect your advertising data")).toBeTruthy();
    const policy = screen.getByRole("link", { name: /^Privacy policy for the Amazon Ads/ });
    expect(policy.getAttribute("href")).toBe("/privacy/amazon-ads-api");
    await button("Login with Amazon");
  });

  // Specification 2.59
  test("sends one request and stays busy until the browser has left for Amazon", async () => {
    const { requests, release } = serveAuthUrl();
    await open();
    await user.dblClick(await button("Login with Amazon"));
    await user.click(await button("Connecting..."));
    release();
    await waitFor(() => expect(visitedUrls).toEqual([AMAZON]));
    expect(requests()).toBe(1);
    await user.click(await button("Connecting..."));
    expect(visitedUrls).toEqual([AMAZON]);
  });

  test("the login can be repeated after going back in the browser", async () => {
    const { release } = serveAuthUrl();
    release();
    await open();
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(visitedUrls).toHaveLength(1));
    act(() => void dispatchEvent(new Event("pageshow")));
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(visitedUrls).toHaveLength(2));
  });

  // Specification 8.25
  test.each([
    ["not configured", () => new HttpResponse("Amazon Ads is not set up.", { status: 503 })],
    ["unreachable", () => HttpResponse.error()],
  ])("shows an error when the server is %s", async (_case, reply) => {
    const { release } = serveAuthUrl(reply);
    release();
    await open();
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(toast()).toBe("ErrorFailed to initiate Amazon login. Please try again."));
    await button("Login with Amazon");
    expect(visitedUrls).toEqual([]);
  });
});

describe("after returning from Amazon", () => {
  test("shows a toast once the connection is displayed", async () => {
    connection = CONNECTION;
    await open("?result=connected");
    await waitFor(() => expect(toast()).toBe("SuccessAmazon Ads is connected."));
    await screen.findByText("Connected as Anna Advertiser");
  });

  test("shows no toast if there is no connection", async () => {
    await open("?result=connected");
    await button("Login with Amazon");
    expect(toast()).toBeFalsy();
  });

  test.each([
    ["denied", "You didn't allow access at Amazon, so nothing was connected."],
    ["failed", "Amazon Ads could not be connected. Please try again."],
  ])("shows that the connection was %s", async (result, text) => {
    await open(`?result=${result}`);
    expect((await screen.findByRole("alert")).textContent).toBe(text);
    await button("Login with Amazon");
  });

  test("ignores any other result", async () => {
    await open("?result=<b>");
    await button("Login with Amazon");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("with a connection", () => {
  test("shows the account", async () => {
    connection = CONNECTION;
    await open();
    const main = within(screen.getByRole("main"));
    await screen.findByRole("heading", { level: 1, name: "Amazon Ads" });
    expect(document.title).toBe("Amazon Ads - Tapthru");
    for (const text of [
      "Connected as Anna Advertiser",
      "anna@amazon.example",
      "Connected since November 20, 2026",
      "We don't read campaign figures.",
    ]) {
      expect(main.getByText(text)).toBeTruthy();
    }
    expect(screen.queryByText(/^Login with your Amazon account/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Login with Amazon" })).toBeNull();
    const apps = screen.getByRole("link", { name: "Manage Login with Amazon" });
    expect(apps.getAttribute("href")).toBe("https://www.amazon.com/ap/adam");
  });

  test("names an account without a name by its email address", async () => {
    connection = { ...CONNECTION, accountName: null };
    await open();
    await screen.findByText("Connected as anna@amazon.example");
  });

  test("disconnects after confirmation", async () => {
    connection = CONNECTION;
    let deleted = 0;
    server.use(
      http.delete("/api/amazon-ads/connection", () => {
        deleted += 1;
        connection = null;
        return HttpResponse.json({});
      }),
    );
    await open();
    await user.click(await button("Disconnect"));
    await user.click(dialog().getByRole("button", { name: "Cancel", hidden: true }));
    expect(deleted).toBe(0);
    await user.click(await button("Disconnect"));
    await user.click(dialog().getByRole("button", { name: "Disconnect", hidden: true }));
    const login = await button("Login with Amazon");
    expect(deleted).toBe(1);
    await waitFor(() => expect(toast()).toContain("Amazon Ads is disconnected."));
    expect(document.activeElement?.contains(login)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  test("stays connected when disconnecting fails", async () => {
    connection = CONNECTION;
    server.use(http.delete("/api/amazon-ads/connection", () => new HttpResponse("No.", { status: 503 })));
    await open();
    await user.click(await button("Disconnect"));
    await user.click(dialog().getByRole("button", { name: "Disconnect", hidden: true }));
    await waitFor(() => expect(toast()).toBe("ErrorFailed to disconnect Amazon Ads. Please try again."));
    await screen.findByText("Connected as Anna Advertiser");
  });
});

test("a connection that cannot be loaded can be requested again", async () => {
  connection = CONNECTION;
  server.use(
    http.get("/api/amazon-ads/connection", () => new HttpResponse("No.", { status: 503 }), {
      once: true,
    }),
  );
  await open();
  expect((await screen.findByRole("alert")).textContent).toBe("Your connection could not be loaded.");
  await user.click(await button("Try again"));
  await screen.findByText("Connected as Anna Advertiser");
});
