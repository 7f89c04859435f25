import type { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
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
  region: "eu",
  accountName: "Anna Advertiser",
  accountEmail: "anna@amazon.example",
  profiles: [{ id: "9007199254740993", name: "Lamp store", countryCode: "DE" }],
  connectedAt: "2026-11-20T08:00:00.000Z",
  hasEnded: false,
};

let user: ReturnType<typeof userEvent.setup>;
/** As the server has it. */
let connection: AmazonAdsConnection | null;
let left: string[];

beforeEach(() => {
  user = userEvent.setup();
  connection = null;
  left = [];
  vi.spyOn(location, "assign").mockImplementation((address) => {
    left.push(String(address));
  });
  serveAccounts(ANNA.email);
  server.use(http.get("/api/amazon-ads/connection", () => HttpResponse.json({ connection })));
});

const open = (query = "") =>
  renderApp(`/amazon-ads-auth${query}`, { identity: fakeIdentityProvider(ANNA) });
const button = (name: string) => screen.findByRole<HTMLButtonElement>("button", { name });
const dialog = () => within(screen.getByRole("alertdialog", { hidden: true }));

/** Answers the request for Amazon's address, once it is let go, and records what was asked. */
function answerAuthUrl(reply: () => Response = () => HttpResponse.json({ url: AMAZON })) {
  const asked: string[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(
    http.get("/api/amazon-ads/auth-url", async ({ request }) => {
      asked.push(new URL(request.url).search);
      await held;
      return reply();
    }),
  );
  return { asked, letGo };
}

test("the signed-out are sent to log in, and come back", async () => {
  await renderApp("/amazon-ads-auth", { identity: fakeIdentityProvider() });
  await screen.findByRole("heading", { name: "Welcome back" });
  await user.type(screen.getByLabelText("Email"), ANNA.email ?? "");
  await user.type(screen.getByLabelText("Password"), "a long secret");
  await user.click(await button("Login"));
  await screen.findByRole("heading", { name: "Connect Amazon Ads" });
});

describe("who is not connected", () => {
  // Specification 2.4, 2.58
  test("is told what this is, and finds the policy", async () => {
    await open();
    await screen.findByRole("heading", { level: 1, name: "Connect Amazon Ads" });
    expect(document.title).toBe("Connect Amazon Ads - Tapthru");
    expect(
      screen.getByText("Login with your Amazon account to connect your advertising data"),
    ).toBeTruthy();
    const policy = screen.getByRole("link", { name: /^Privacy policy for the Amazon Ads/ });
    expect(policy.getAttribute("href")).toBe("/privacy/amazon-ads-api");
    await button("Login with Amazon");
  });

  // Specification 2.59
  test("goes to Amazon, busy until the browser has left, and asks once", async () => {
    const { asked, letGo } = answerAuthUrl();
    await open();
    await user.dblClick(await button("Login with Amazon"));
    await user.click(await button("Connecting..."));
    letGo();
    await waitFor(() => expect(left).toEqual([AMAZON]));
    expect(asked).toEqual(["?region=na"]);
    await user.click(await button("Connecting..."));
    expect(left).toEqual([AMAZON]);
  });

  test("may choose another region", async () => {
    const { asked, letGo } = answerAuthUrl();
    letGo();
    await open();
    await user.click(await screen.findByRole("radio", { name: /^Far East/ }));
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(left).toEqual([AMAZON]));
    expect(asked).toEqual(["?region=fe"]);
  });

  test("may go again after coming back by the browser's button", async () => {
    const { letGo } = answerAuthUrl();
    letGo();
    await open();
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(left).toHaveLength(1));
    act(() => void dispatchEvent(new Event("pageshow")));
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(left).toHaveLength(2));
  });

  // Specification 8.25
  test.each([
    ["not set up", () => new HttpResponse("Amazon Ads is not set up.", { status: 503 })],
    ["out of reach", () => HttpResponse.error()],
  ])("is told when the login cannot begin, the server being %s", async (_case, reply) => {
    const { letGo } = answerAuthUrl(reply);
    letGo();
    await open();
    await user.click(await button("Login with Amazon"));
    await waitFor(() =>
      expect(toast()).toBe("ErrorFailed to initiate Amazon login. Please try again."),
    );
    await button("Login with Amazon");
    expect(left).toEqual([]);
  });
});

describe("who comes back from Amazon", () => {
  test("is told that it worked, once it shows", async () => {
    connection = CONNECTION;
    await open("?result=connected");
    await waitFor(() => expect(toast()).toBe("SuccessAmazon Ads is connected."));
    await screen.findByText("Anna Advertiser");
  });

  test("is not told so where nothing is connected", async () => {
    await open("?result=connected");
    await button("Login with Amazon");
    expect(toast()).toBeFalsy();
  });

  test.each([
    ["denied", "You did not give access at Amazon, so nothing was connected."],
    ["failed", "Amazon Ads could not be connected. Please try again."],
  ])("is told that it was %s", async (result, text) => {
    await open(`?result=${result}`);
    expect((await screen.findByRole("alert")).textContent).toBe(text);
    await button("Login with Amazon");
  });

  test("is told nothing by any other result", async () => {
    await open("?result=<b>");
    await button("Login with Amazon");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("who is connected", () => {
  test("sees account, region and profiles", async () => {
    connection = CONNECTION;
    await open();
    const main = within(screen.getByRole("main"));
    for (const text of ["Anna Advertiser", "anna@amazon.example", "Europe", "November 20, 2026"]) {
      expect(await main.findByText(text)).toBeTruthy();
    }
    expect(main.getByRole("listitem").textContent).toBe("Lamp store DE");
    expect(screen.queryByRole("button", { name: "Login with Amazon" })).toBeNull();
    const apps = screen.getByRole("link", { name: "Manage Login with Amazon" });
    expect(apps.getAttribute("href")).toBe("https://www.amazon.com/ap/adam");
  });

  test("sees that the account has no profile, or no name", async () => {
    connection = { ...CONNECTION, profiles: [], accountName: null };
    await open();
    await screen.findByText("This account has no advertising profile in this region.");
    await screen.findByText("Without a name");
  });

  test("may log in again, in the same region, once Amazon has ended it", async () => {
    connection = { ...CONNECTION, hasEnded: true };
    const { asked, letGo } = answerAuthUrl();
    letGo();
    await open();
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Amazon no longer accepts this connection. Log in again to renew it.",
    );
    await user.click(await button("Login with Amazon"));
    await waitFor(() => expect(asked).toEqual(["?region=eu"]));
  });

  test("disconnects, once sure", async () => {
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
    await waitFor(() => expect(toast()).toContain("Amazon Ads disconnected"));
    expect(document.activeElement?.contains(login)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  test("stays connected where that fails", async () => {
    connection = CONNECTION;
    server.use(
      http.delete("/api/amazon-ads/connection", () => new HttpResponse("No.", { status: 503 })),
    );
    await open();
    await user.click(await button("Disconnect"));
    await user.click(dialog().getByRole("button", { name: "Disconnect", hidden: true }));
    await waitFor(() =>
      expect(toast()).toBe("ErrorFailed to disconnect Amazon Ads. Please try again."),
    );
    await screen.findByText("Anna Advertiser");
  });
});

test("a connection that cannot be loaded is asked for again by a button", async () => {
  connection = CONNECTION;
  server.use(
    http.get("/api/amazon-ads/connection", () => new HttpResponse("No.", { status: 503 }), {
      once: true,
    }),
  );
  await open();
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Your connection could not be loaded.",
  );
  await user.click(await button("Try again"));
  await screen.findByText("Anna Advertiser");
});
