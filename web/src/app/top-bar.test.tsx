import { act, fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import { describe, expect, test } from "vitest";
import { serveAccounts } from "../testing/accounts-server.ts";
import {
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
} from "../testing/fake-identity-provider.ts";
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

  test("never see 'Login' on their next visit, even before the provider has loaded", async () => {
    localStorage.setItem("signed_in", "yes");
    serveAccounts(ANNA.email);
    const provider = new Promise<FakeIdentityProvider>(() => {});
    await renderApp("/", { identity: provider });
    expect(screen.getAllByRole("link", { name: "Dashboard", hidden: true })).toHaveLength(2);
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

test("the menu closes when the window becomes wide", async () => {
  await renderApp();
  await userEvent.click(openButton());
  act(() => happyDOM.setViewport({ width: 500 }));
  act(() => happyDOM.setViewport({ width: 1_280 }));
  expect(menu().open).toBe(false);
});
