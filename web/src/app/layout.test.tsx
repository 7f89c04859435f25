import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import { describe, expect, test, vi } from "vitest";
import { click, heading, textsOf } from "../testing/controls.ts";
import { type FakeIdentityProvider, fakeIdentityProvider } from "../testing/fake-identity-provider.ts";
import { shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";
import { failure, noReply, serve } from "../testing/serve.ts";
import { PAGES } from "./pages.tsx";

declare const happyDOM: DetachedWindowAPI;

const hrefs = (links: Element[]) => links.map((link) => link.getAttribute("href"));

test("announces each page after the first, only with its own title", async () => {
  await renderApp("/login");
  await screen.findByLabelText("Email");
  const announcement = document.querySelector("p[aria-live=polite]");
  expect(announcement?.textContent).toBe("");
  const announced: (string | null | undefined)[] = [];
  const observer = new MutationObserver(() => announced.push(announcement?.textContent));
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  // Specification 2.8
  await userEvent.click(screen.getByRole("link", { name: "Tapthru" }));
  await waitFor(() => expect(announcement?.textContent).toBe("Tapthru"));
  expect(new Set(announced)).toEqual(new Set(["", "Tapthru"]));
  observer.disconnect();
});

test("a new page has the focus, and going back returns it to the link that led there", async () => {
  const { goBack } = await renderApp("/login");
  const main = within(await screen.findByRole("main"));
  await userEvent.click(await main.findByRole("link", { name: "Sign up for free" }));
  await heading("Create your account");
  expect(document.activeElement).toBe(screen.getByRole("main"));
  await goBack();
  await heading("Welcome back");
  expect(document.activeElement).toBe(main.getByRole("link", { name: "Sign up for free" }));
});

test("the skip link moves the focus to the content without changing the URL", async () => {
  await renderApp("/nowhere");
  await screen.findByRole("heading");
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Skip to content");
  await userEvent.keyboard("{Enter}");
  expect([document.activeElement, location.hash]).toEqual([screen.getByRole("main"), ""]);
});

// Specification 2.6
test.each([
  ["/", true, true],
  ["/login", true, true],
  ["/nowhere", true, true],
  ["/link/redirect-deals", true, true],
  ["/redirect", false, false],
  ["/x/redirect/y", false, true],
])("%s has the floating element: %o, and the footer with policy and reports: %o", async (path, floats, hasFooter) => {
  await renderApp(path);
  await screen.findByRole("link", { name: "Tapthru" });
  expect(screen.queryAllByRole("combobox", { name: "Theme" }).length > 0).toBe(floats);
  const footer = screen.queryByRole("contentinfo");
  const links = footer && hrefs(within(footer).getAllByRole("link"));
  expect(links).toEqual(hasFooter ? ["/lost-commission", "/report", "/privacy"] : null);
});

describe("the top bar", () => {
  const openButton = () => screen.getByRole("button", { name: "Open menu" });
  const menu = () => document.querySelector("dialog") as HTMLDialogElement;
  const isOpen = () => [menu().open, openButton().getAttribute("aria-expanded")];

  // Specification 2.9
  test.each([
    ["Login", "/login"],
    ["Sign up for free", "/signup"],
  ])("offers %s in the bar and in the menu", async (name, href) => {
    await renderApp();
    const links = screen.getAllByRole("link", { name, hidden: true });
    expect(hrefs(links)).toEqual([href, href]);
    expect(within(menu()).getByRole("link", { name, hidden: true })).toBe(links[1]);
  });

  const openAccountMenu = async () => {
    const button = await screen.findByRole("button", { name: "Account menu" });
    button.focus();
    await userEvent.keyboard("{Enter}");
    return within(button.parentElement as HTMLElement);
  };
  const NAMES = ["Clicks", "Earnings", "Import", "Account", "Tags and channels"];
  const PATHS = ["/clicks", "/earnings", "/import", "/account", "/account/stores"];

  // Specification 2.10
  test("has a user's pages in the bar, in the menu of small screens and, with their name, in the account menu", async () => {
    await openAsUser("/");
    await waitFor(() => expect(menu().textContent).toContain(ANNA.email));
    for (const [at, name] of ["Dashboard", "Clicks", "Earnings", "Import"].entries()) {
      const href = ["/dashboard", ...PATHS][at];
      expect(hrefs(screen.getAllByRole("link", { name, hidden: true }))).toEqual([href, href]);
    }
    expect(textsOf(within(menu()).getAllByRole("link", { hidden: true }))).toEqual(["Dashboard", ...NAMES]);
    expect(within(menu()).getByRole("button", { name: "Log out", hidden: true })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Login", hidden: true })).toBeNull();
    const accountMenu = await openAccountMenu();
    const items = accountMenu.getAllByRole("link");
    expect([textsOf(items), hrefs(items)]).toEqual([NAMES.slice(3), PATHS.slice(3)]);
    expect(accountMenu.getAllByText(ANNA.email)).not.toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(accountMenu.queryByRole("link")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Account menu" }));
  });

  test("never shows 'Login' to a user on their next visit, even before the api has said who is signed in", async () => {
    localStorage.setItem("signed_in", "yes");
    await renderApp("/", { identity: new Promise<FakeIdentityProvider>(() => {}) });
    expect(screen.getAllByRole("link", { name: "Dashboard", hidden: true })).toHaveLength(2);
  });

  test("marks the current page", async () => {
    await openAsUser("/account");
    const items = (await openAccountMenu()).getAllByRole("link");
    const current = () => hrefs([...document.querySelectorAll("[aria-current=page]")]);
    // In the menu of small screens, the sections of the account, the footer and the account menu.
    await waitFor(() => expect(current()).toEqual(Array(4).fill("/account")));
    expect(items.map((item) => item.getAttribute("aria-current"))).toEqual(["page", null]);
  });

  // Specification 2.11
  test("has a menu that closes by its button, the backdrop, a link or a wide window, not on a click inside", async () => {
    await renderApp();
    await userEvent.click(openButton());
    expect(isOpen()).toEqual([true, "true"]);
    await click("Close menu");
    expect(isOpen()).toEqual([false, "false"]);
    await userEvent.click(openButton());
    fireEvent.click(menu().firstElementChild as Element);
    expect(menu().open).toBe(true);
    fireEvent.click(menu());
    expect(menu().open).toBe(false);
    await userEvent.click(openButton());
    act(() => happyDOM.setViewport({ width: 500 }));
    act(() => happyDOM.setViewport({ width: 1_280 }));
    expect(menu().open).toBe(false);
    await userEvent.click(openButton());
    await userEvent.click(within(menu()).getByRole("link", { name: "Login" }));
    expect(await heading("Welcome back")).toBeTruthy();
    expect(menu().open).toBe(false);
  });
});

describe("the title", () => {
  const isTitled = (title: string) => waitFor(() => expect(document.title).toBe(title));

  test.each([
    ["/", "Tapthru"],
    ["/login", "Login - Tapthru"],
    ["/signup", "Sign up - Tapthru"],
    ["/reset-password", "Set a new password - Tapthru"],
    ["/confirm-email", "Confirm your email - Tapthru"],
    ["/privacy", "Privacy policy - Tapthru"],
    ["/privacy/amazon-ads-api", "Privacy policy for the Amazon Ads API integration - Tapthru"],
    ["/report", "Report a link - Tapthru"],
    ["/nowhere", "404 Page Not Found - Tapthru"],
  ])("of %s is %s", async (path, title) => {
    await renderApp(path);
    await isTitled(title);
  });

  test.each([
    ["/dashboard", "Your Links - Tapthru"],
    ["/link-creation", "Create New Link - Tapthru"],
    ...[...PAGES.everyone, ...PAGES.member, ...PAGES.account].flatMap(({ path, title }) =>
      title ? [[path, `${title} - Tapthru`]] : [],
    ),
    ["/link/lampcod", "My lamp - Tapthru"],
    ["/link/deleted", "Error loading link details. Please try again. - Tapthru"],
    ["/link/waiting", "Loading... - Tapthru"],
  ])("of a user's %s is %s", async (path, title) => {
    serve("GET /api/routing", () => ({ isOn: false, fallback: "original", assistantsGetTag: false }));
    serve("GET /api/status/app-opening", () => ({ since: "2026-10-24", rows: [] }));
    serve("GET /api/earnings/rates", () => ({ currency: null, rates: [] }));
    serve("GET /api/amazon-ads/connection", () => ({ connection: null }));
    serve("GET /api/amazon-answer", () => ({ linkCount: 0, breaches: [] }));
    vi.stubGlobal(
      "Worker",
      class {
        terminate() {}
      },
    );
    serve("GET /api/links/lampcod", () => shortLink({ shortCode: "lampcod", nickname: "My lamp" }));
    serve("GET /api/links/deleted", () => failure(404));
    serve("GET /api/links/waiting", noReply);
    await openAsUser(path);
    await isTitled(title);
  });

  test.each([
    ["/dashboard", "Your Links - Tapthru"],
    ["/link/lampcod", "Loading... - Tapthru"],
  ])("of %s is %s while the login is pending", async (path, title) => {
    const identity = fakeIdentityProvider(ANNA);
    serve("GET /api/session", noReply);
    await renderApp(path, { identity });
    await isTitled(title);
  });
});
