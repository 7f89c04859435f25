import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import { HttpResponse, http } from "msw";
import { describe, expect, test } from "vitest";
import { serveAccounts } from "../testing/accounts-server.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../testing/fake-identity-provider.ts";
import { renderApp } from "../testing/render-app.tsx";
import { server } from "../testing/server.ts";

declare const happyDOM: DetachedWindowAPI;

const openButton = () => screen.getByRole("button", { name: "Open menu" });
const menu = () => document.querySelector("dialog") as HTMLDialogElement;
const accountButton = () => screen.getByRole("button", { name: "Account menu" });

// Specification 2.8
test("the logo links to the start page", async () => {
  await renderApp("/nowhere");
  await userEvent.click(screen.getByRole("link", { name: "Tapthru" }));
  expect(await screen.findByRole("textbox")).toBeTruthy();
});

// Specification 2.9
test.each([
  ["Login", "/login"],
  ["Sign up for free", "/signup"],
])("offers %s in the bar and in the menu", async (name, href) => {
  await renderApp();
  const links = screen.getAllByRole("link", { name, hidden: true });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([href, href]);
  expect(within(menu()).getByRole("link", { name, hidden: true })).toBe(links[1]);
});

describe("signed-in users", () => {
  const ANNA = identityFor("anna@example.com");
  const open = async () => {
    serveAccounts(ANNA.email);
    await renderApp("/", { identity: fakeIdentityProvider(ANNA) });
  };

  // Specification 2.10
  test("see Dashboard and Log out in the bar and in the menu", async () => {
    await open();
    const links = await screen.findAllByRole("link", { name: "Dashboard", hidden: true });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/dashboard", "/dashboard"]);
    expect(within(menu()).getByRole("button", { name: "Log out", hidden: true })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Login", hidden: true })).toBeNull();
  });

  test("never see 'Login' on their next visit, even before the api has said who is signed in", async () => {
    localStorage.setItem("signed_in", "yes");
    serveAccounts(ANNA.email);
    const provider = new Promise<FakeIdentityProvider>(() => {});
    await renderApp("/", { identity: provider });
    expect(screen.getAllByRole("link", { name: "Dashboard", hidden: true })).toHaveLength(2);
  });

  const openAccountMenu = async () => {
    const button = await screen.findByRole("button", { name: "Account menu" });
    button.focus();
    await userEvent.keyboard("{Enter}");
    return button.parentElement as HTMLElement;
  };
  const namesOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

  test("see Clicks, Earnings and Import in the bar", async () => {
    await open();
    for (const [name, href] of [
      ["Clicks", "/clicks"],
      ["Earnings", "/earnings"],
      ["Import", "/import"],
    ] as const) {
      const links = await screen.findAllByRole("link", { name, hidden: true });
      expect(links.map((link) => link.getAttribute("href"))).toEqual([href, href]);
    }
  });

  test("have an account menu with their name and the pages of the account", async () => {
    await open();
    const accountMenu = await openAccountMenu();
    await waitFor(() => expect(accountMenu.textContent).toContain(ANNA.email));
    const items = within(accountMenu).getAllByRole("link");
    expect(namesOf(items)).toEqual(["Clicks", "Earnings", "Import", "Account", "Stores and tags"]);
    expect(items.map((item) => item.getAttribute("href"))).toEqual([
      "/clicks",
      "/earnings",
      "/import",
      "/account",
      "/account/stores",
    ]);
  });

  test("close the account menu with Escape, which returns the focus to its button", async () => {
    await open();
    const accountMenu = await openAccountMenu();
    await userEvent.keyboard("{Escape}");
    expect(within(accountMenu).queryByRole("link")).toBeNull();
    expect(document.activeElement).toBe(accountButton());
  });

  test("see their name below the actions of both menus, which do not move when it is known", async () => {
    await open();
    const accountMenu = await openAccountMenu();
    await waitFor(() => expect(accountMenu.textContent).toMatch(/Stores and tags.*anna@example\.com$/));
    expect(menu().textContent).toMatch(/Log out.*anna@example\.com/);
  });

  test("see their name and pages in the menu of small screens", async () => {
    await open();
    await waitFor(() => expect(menu().textContent).toContain(ANNA.email));
    const links = within(menu()).getAllByRole("link", { hidden: true });
    expect(namesOf(links)).toEqual(["Dashboard", "Clicks", "Earnings", "Import", "Account", "Stores and tags"]);
  });

  test("see which page of the navigation is the current one", async () => {
    serveAccounts(ANNA.email);
    server.use(http.get("/api/sessions", () => HttpResponse.json([])));
    await renderApp("/account", { identity: fakeIdentityProvider(ANNA) });
    const accountMenu = await openAccountMenu();
    const current = () => [...document.querySelectorAll("[aria-current=page]")];
    // In the menu of small screens, the sections of the account, the footer and the account menu.
    await waitFor(() => expect(current().map((link) => link.getAttribute("href"))).toEqual(Array(4).fill("/account")));
    const items = within(accountMenu).getAllByRole("link");
    expect(items.map((item) => item.getAttribute("aria-current"))).toEqual([null, null, null, "page", null]);
  });

  test("can log out from the menu, which closes", async () => {
    await open();
    await userEvent.click(openButton());
    await userEvent.click(await within(menu()).findByRole("button", { name: "Log out" }));
    expect(menu().open).toBe(false);
    expect(await screen.findByText("You have been logged out successfully.")).toBeTruthy();
  });
});

// Specification 2.11
test("buttons open and close the menu", async () => {
  await renderApp();
  expect(openButton().getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(openButton());
  expect(menu().open).toBe(true);
  expect(openButton().getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(screen.getByRole("button", { name: "Close menu" }));
  expect(menu().open).toBe(false);
  expect(openButton().getAttribute("aria-expanded")).toBe("false");
});

// Specification 2.11
test("the menu closes on a click on the backdrop or a link, not on a click inside", async () => {
  await renderApp();
  await userEvent.click(openButton());
  fireEvent.click(menu().firstElementChild as Element);
  expect(menu().open).toBe(true);
  fireEvent.click(menu());
  expect(menu().open).toBe(false);

  await userEvent.click(openButton());
  await userEvent.click(within(menu()).getByRole("link", { name: "Login" }));
  expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeTruthy();
  expect(menu().open).toBe(false);
});

test("the current page is marked for visitors too", async () => {
  await renderApp("/login");
  const current = [...document.querySelectorAll("[aria-current=page]")];
  expect(current.map((link) => link.textContent)).toEqual(["Login", "Login"]);
});

test("the menu closes when the window becomes wide", async () => {
  await renderApp();
  await userEvent.click(openButton());
  act(() => happyDOM.setViewport({ width: 500 }));
  act(() => happyDOM.setViewport({ width: 1_280 }));
  expect(menu().open).toBe(false);
});
