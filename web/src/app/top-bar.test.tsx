import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import { describe, expect, test } from "vitest";
import type { FakeIdentityProvider } from "../testing/fake-identity-provider.ts";
import { ANNA, openAsUser } from "../testing/open-as-user.ts";
import { renderApp } from "../testing/render-app.tsx";

declare const happyDOM: DetachedWindowAPI;

const openButton = () => screen.getByRole("button", { name: "Open menu" });
const menu = () => document.querySelector("dialog") as HTMLDialogElement;

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
  const openAccountMenu = async () => {
    const button = await screen.findByRole("button", { name: "Account menu" });
    button.focus();
    await userEvent.keyboard("{Enter}");
    return within(button.parentElement as HTMLElement);
  };
  const PAGES = ["Clicks", "Earnings", "Import", "Account", "Stores and tags"];
  const PATHS = ["/clicks", "/earnings", "/import", "/account", "/account/stores"];

  // Specification 2.10
  test("have their pages in the bar, in the menu of small screens and, with their name, in the account menu", async () => {
    await openAsUser("/");
    await waitFor(() => expect(menu().textContent).toContain(ANNA.email));
    for (const [at, name] of ["Dashboard", "Clicks", "Earnings", "Import"].entries()) {
      const links = screen.getAllByRole("link", { name, hidden: true });
      expect(new Set(links.map((link) => link.getAttribute("href")))).toEqual(new Set([["/dashboard", ...PATHS][at]]));
      expect(links).toHaveLength(2);
    }
    const inMenu = within(menu()).getAllByRole("link", { hidden: true });
    expect(inMenu.map(({ textContent }) => textContent)).toEqual(["Dashboard", ...PAGES]);
    expect(within(menu()).getByRole("button", { name: "Log out", hidden: true })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Login", hidden: true })).toBeNull();

    const accountMenu = await openAccountMenu();
    const items = accountMenu.getAllByRole("link");
    expect(items.map(({ textContent }) => textContent)).toEqual(PAGES);
    expect(items.map((item) => item.getAttribute("href"))).toEqual(PATHS);
    expect(accountMenu.getAllByText(ANNA.email)).not.toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(accountMenu.queryByRole("link")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Account menu" }));
  });

  test("never see 'Login' on their next visit, even before the api has said who is signed in", async () => {
    localStorage.setItem("signed_in", "yes");
    await renderApp("/", { identity: new Promise<FakeIdentityProvider>(() => {}) });
    expect(screen.getAllByRole("link", { name: "Dashboard", hidden: true })).toHaveLength(2);
  });

  test("see which page of the navigation is the current one", async () => {
    await openAsUser("/account");
    const items = (await openAccountMenu()).getAllByRole("link");
    const current = () => [...document.querySelectorAll("[aria-current=page]")];
    // In the menu of small screens, the sections of the account, the footer and the account menu.
    await waitFor(() => expect(current().map((link) => link.getAttribute("href"))).toEqual(Array(4).fill("/account")));
    expect(items.map((item) => item.getAttribute("aria-current"))).toEqual([null, null, null, "page", null]);
  });
});

// Specification 2.11
test("the menu closes by its button, the backdrop or a link, not on a click inside", async () => {
  await renderApp();
  await userEvent.click(openButton());
  expect([menu().open, openButton().getAttribute("aria-expanded")]).toEqual([true, "true"]);
  await userEvent.click(screen.getByRole("button", { name: "Close menu" }));
  expect([menu().open, openButton().getAttribute("aria-expanded")]).toEqual([false, "false"]);

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

test("the menu closes when the window becomes wide", async () => {
  await renderApp();
  await userEvent.click(openButton());
  act(() => happyDOM.setViewport({ width: 500 }));
  act(() => happyDOM.setViewport({ width: 1_280 }));
  expect(menu().open).toBe(false);
});
