import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveAccounts } from "../testing/accounts-server.ts";
import { catchLogs } from "../testing/catch-logs.ts";
import { answer, click, field, heading } from "../testing/controls.ts";
import {
  addTestUser,
  type FakeIdentityProvider,
  fakeIdentityProvider,
  providerError,
  testUsers,
} from "../testing/fake-identity-provider.ts";
import { advanceBy, useFakeClock } from "../testing/fake-timers.ts";
import { errorReply } from "../testing/generate-server.ts";
import { serveLinks, shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";
import { failure, heldReplies, noReply, respondOnceWith, serve } from "../testing/serve.ts";
import { findToast, toast } from "../testing/toast.ts";
import "../features/imports/links/link-imports.tsx";
import "./routes/dashboard.tsx";
import "./routes/operator/operator.tsx";

const login = () => heading("Welcome back");
const home = () => screen.findByRole("textbox", { name: "Amazon product or store link" });
const unreachable = () => heading("We can't reach your account right now");
const dashboardLink = () => screen.getAllByRole("link", { name: "Dashboard" })[0] as HTMLElement;

let identity: FakeIdentityProvider;
beforeEach(() => {
  identity = fakeIdentityProvider(ANNA);
});

// Specification 2.35
test.each([
  ["/link/abcdefg", {}, login],
  ["/link-creation", { identity: "unavailable" }, login],
  ["/dashboard", {}, home],
] as const)("guests are led away from %s, also without a provider: %j", async (path, options, target) => {
  fakeIdentityProvider();
  await renderApp(path, options);
  await target();
});

const DAY = "/link/abcdefg/clicks?period=custom&from=2026-11-01&to=2026-11-03";

test.each([
  ["/connect?client_id=%257B%2522&scope=a+b", "/login?from=%2Fconnect%3Fclient_id%3D%25257B%252522%26scope%3Da%2Bb"],
  ["/clicks?show=bot", "/login?from=%2Fclicks%3Fshow%3Dbot"],
  [DAY, `/login?${new URLSearchParams({ from: DAY })}`],
  // Mails lead to the account of their reader.
  [`/a/7${DAY}`, `/a/7/login?${new URLSearchParams({ from: DAY })}`],
  ["/a/7/dashboard?show=no-tag", "/a/7/login?from=%2Fdashboard%3Fshow%3Dno-tag"],
  ["/a/7/account/domains", "/a/7/login?from=%2Faccount%2Fdomains"],
])("the address of the login, of the sign-up and of another site's login names the page %s", async (path, to) => {
  const sent = serve("POST /api/auth/open-id", () => ({ url: "https://id.example/authorize" }));
  vi.spyOn(location, "assign").mockReturnValue();
  const changes = { openIdConnect: { name: "Example Corp", iconUrl: null } };
  await renderApp(path, { identity: fakeIdentityProvider(), changes });
  await login();
  const signUp = to.replace("/login", "/signup");
  const links = screen.getAllByRole("link", { name: "Sign up for free" });
  expect(links.at(-1)?.getAttribute("href")).toBe(signUp);
  await click("Continue with Example Corp");
  await waitFor(() => expect(sent).toEqual([{ returnPath: to, confirmsIdentity: false }]));
  await userEvent.click(links.at(-1) as Element);
  await heading("Create your account");
  await userEvent.click(screen.getByRole("link", { name: "Login instead" }));
  await login();
  expect(screen.getAllByRole("link", { name: "Sign up for free" }).at(-1)?.getAttribute("href")).toBe(signUp);
});

test.each([
  ["/link/abcdefg/clicks?period=24h", "/a/7/login?from=%2Flink%2Fabcdefg%2Fclicks%3Fperiod%3D24h"],
  ["/account/domains", "/a/7/login?from=%2Faccount%2Fdomains"],
])("a user who logs in on a page of their own account, to which a mail led, gets there: %s", async (path, to) => {
  const replace = vi.spyOn(location, "replace").mockReturnValue();
  testUsers.clear();
  const { id } = addTestUser(ANNA);
  await renderApp(`/a/${id}${path}`, { identity: fakeIdentityProvider() });
  await userEvent.type(await screen.findByLabelText("Email"), ANNA.email);
  await userEvent.type(field("Password"), "secret1{Enter}");
  await waitFor(() => expect(replace).toHaveBeenCalledWith(to.replace("/a/7", "")));
});

test.each([
  "//evil.example/login",
  "//evil.example",
  "///evil.example/dashboard",
  "//evil.example:8443/x?y#z",
  "//a@evil.example/",
])("an address of the user's own account with %s leads to no other site: the page does not exist", async (path) => {
  const replace = vi.spyOn(location, "replace").mockReturnValue();
  testUsers.clear();
  const { id } = addTestUser(ANNA);
  await renderApp(`/a/${id}${path}`, { identity });
  await heading("404 Page Not Found");
  expect(replace).not.toHaveBeenCalled();
});

describe("signed-in users", () => {
  // Specification 2.41
  test.each([
    ["/dashboard", "Loading your links...", "Your Links"],
    ["/link-creation", "Loading...", "Create New Link"],
    ["/link/abcdefg", "Loading...", "A lamp"],
  ])("users wait on %s until the session is open", async (path, text, title) => {
    const lists = serve("GET /api/links", () => []);
    const links = serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
    const { released, release } = heldReplies();
    serve("GET /api/session", () => released.then(identity.restore).then((login) => ({ login })));
    await openAsUser(path, { identity });
    expect((await screen.findByRole("status")).textContent).toBe(text);
    expect([...lists, ...links]).toEqual([]);
    release();
    expect(await heading(title)).toBeTruthy();
  });

  // Specification 2.35, 8.26
  test.each(["/dashboard", "/link/abcdefg"])(
    "redirects users from %s to the start page, without a toast, when the backend opens no session",
    async (path) => {
      const warnings = catchLogs("warn");
      serve("GET /api/session", () => failure(403));
      await openAsUser(path, { identity });
      await home();
      expect(toast()).toBeFalsy();
      expect(warnings()).not.toEqual([]);
    },
  );

  test("users stay on another page when that fails, and see it once a later attempt succeeds", async () => {
    const warnings = catchLogs("warn");
    const unavailable = errorReply(503, "Unavailable");
    respondOnceWith("GET /api/session", unavailable, unavailable);
    await openAsUser("/link-creation", { identity });
    await unreachable();
    dispatchEvent(new Event("online"));
    expect(await heading("Create New Link")).toBeTruthy();
    expect(warnings()).not.toEqual([]);
  });

  test("informs users if the api says nothing about them for 10 seconds", async () => {
    useFakeClock();
    serve("GET /api/session", noReply);
    await openAsUser("/link/abcdefg", { identity });
    await advanceBy(10_000);
    expect(await unreachable()).toBeTruthy();
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(dashboardLink()).toBeTruthy();
  });
});

test("a user signed out by another tab keeps what they have typed until they log in again", async () => {
  await openAsUser("/import", { identity });
  const addresses = await screen.findByLabelText<HTMLTextAreaElement>("One address in each line");
  await userEvent.type(addresses, "x");
  act(() => identity.setIdentity(null));
  const notice = await screen.findByText("You were logged out. Log in to continue.");
  act(() => identity.setIdentity(ANNA));
  await waitFor(() => expect(notice.isConnected).toBe(false));
  expect(addresses.value).toBe("x");
});

describe("logging out", () => {
  beforeEach(() => void serveAccounts(ANNA.email));

  const button = () => screen.getAllByRole("button", { name: "Log out" })[0] as HTMLElement;
  const logOut = () => userEvent.click(button());

  async function open(path: string) {
    await renderApp(path, { identity });
    await screen.findByRole("heading", { level: 1 });
    await screen.findAllByRole("button", { name: "Log out" });
  }

  // Specification 8.18
  test("stays on the page and shows an error when the provider fails", async () => {
    vi.spyOn(identity, "signOut").mockRejectedValueOnce(providerError("auth/internal-error"));
    await open("/import");
    await userEvent.type(await screen.findByLabelText("One address in each line"), "x");
    await logOut();
    await click("Discard");
    await findToast("ErrorFailed to log out. Please try again.");
    expect(await heading("Import links")).toBeTruthy();
    // What was typed is still there.
    await userEvent.click(dashboardLink());
    await answer("Cancel");
    await logOut();
    await click("Discard");
    await home();
  });

  // Specification 8.24
  test("clears the user's data before the next user logs in", async () => {
    serveLinks([shortLink()]);
    await open("/dashboard");
    await screen.findByText("A lamp");
    await logOut();
    await home();
    serveLinks([]);
    await userEvent.click(screen.getAllByRole("link", { name: "Login" })[0] as Element);
    await userEvent.type(await screen.findByLabelText("Email"), "bert@example.com");
    await userEvent.type(field("Password"), "secret1{Enter}");
    expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
  });

  test.each([
    ["here", () => userEvent.keyboard("{Enter}")],
    ["in another tab", () => identity.setIdentity(null)],
  ])("moves the focus from the control that it removes to the content: %s", async (_where, end) => {
    await open("/");
    button().focus();
    await end();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
    expect(screen.getAllByRole("link", { name: "Login" })).not.toHaveLength(0);
  });

  test("a logout in another tab moves the focus from a control of the open menu to the menu", async () => {
    await open("/");
    await click("Open menu");
    const menu = within(screen.getByRole("dialog", { name: "Menu" }));
    menu.getByRole("link", { name: "Dashboard" }).focus();
    identity.setIdentity(null);
    await menu.findByRole("link", { name: "Login" });
    expect(document.activeElement).toBe(menu.getByRole("button", { name: "Close menu" }));
  });
});
