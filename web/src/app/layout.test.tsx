import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import { describe, expect, test } from "vitest";
import { click, heading, textsOf } from "../testing/controls.ts";
import { fakeIdentityProvider } from "../testing/fake-identity-provider.ts";
import { serveLinks, shortLink } from "../testing/links-server.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";
import { noReply, serve } from "../testing/serve.ts";

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

  const PAGES = ["Dashboard", "Clicks", "Earnings", "Import", "Account"];
  const PATHS = ["/dashboard", "/clicks", "/earnings", "/import", "/account"];

  // Specification 2.10
  test("shows a user's pages in the bar and, with their name, in the menu of small screens", async () => {
    await openAsUser("/");
    await waitFor(() => expect(menu().textContent).toContain(ANNA.email));
    for (const [at, name] of PAGES.entries()) {
      expect(hrefs(screen.getAllByRole("link", { name, hidden: true }))).toEqual([PATHS[at], PATHS[at]]);
    }
    expect(textsOf(within(menu()).getAllByRole("link", { hidden: true }))).toEqual([...PAGES, "Tags and channels"]);
    expect(within(menu()).getByRole("button", { name: "Log out", hidden: true })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Login", hidden: true })).toBeNull();
  });

  test.each([
    ["/account", ["Account", "page"]],
    ["/account/security", ["Account", "true"]],
    ["/dashboard", ["Dashboard", "page"]],
    ["/link/abcdefg", ["Dashboard", "true"]],
    ["/link/abcdefg/clicks", ["Dashboard", "true"]],
    ["/clicks", ["Clicks", "page"]],
    ["/operator/users", ["Operator", "true"]],
  ])("marks in the bar to what the page belongs: %s", async (path, marked) => {
    serveLinks([]);
    serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
    serve("GET /api/operator/users", () => ({ users: [], nextBefore: null }));
    await openAsUser(path, { user: { isOperator: true } });
    const [bar] = await screen.findAllByRole("navigation", { name: "Main" });
    const links = () => within(bar as HTMLElement).getAllByRole("link");
    await waitFor(() => expect(textsOf(links())).toContain("Operator"));
    const current = links().filter((each) => each.hasAttribute("aria-current"));
    expect(current.map((each) => [each.textContent, each.getAttribute("aria-current")])).toEqual([marked]);
  });

  // Specification 2.11
  test("the menu closes by its button, the backdrop, a link or a wide window, not on a click inside", async () => {
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
  test.each([
    ["/", "Tapthru"],
    ["/login", "Login - Tapthru"],
    ["/privacy/amazon-ads-api", "Privacy policy for the Amazon Ads API integration - Tapthru"],
    ["/nowhere", "404 Page Not Found - Tapthru"],
  ])("the title of %s is %s", async (path, title) => {
    await renderApp(path);
    await waitFor(() => expect(document.title).toBe(title));
  });

  test.each([
    ["/dashboard", "Your Links - Tapthru", "found"],
    ["/account/members", "Members - Tapthru", "found"],
    ["/link/lampcod", "My lamp - Tapthru", "found"],
    ["/link/waiting", "Loading... - Tapthru", "found"],
    ["/dashboard", "Your Links - Tapthru", "awaited"],
    ["/link/lampcod", "Loading... - Tapthru", "awaited"],
  ])("the title of a user's %s is %s while the login is %s", async (path, title, login) => {
    const identity = fakeIdentityProvider(ANNA);
    if (login === "awaited") serve("GET /api/session", noReply);
    serve("GET /api/links/lampcod", () => shortLink({ shortCode: "lampcod", nickname: "My lamp" }));
    serve("GET /api/links/waiting", noReply);
    await openAsUser(path, { identity });
    await waitFor(() => expect(document.title).toBe(title));
  });
});
