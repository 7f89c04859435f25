import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { renderApp } from "../testing/render-app.tsx";

const floatingElement = () => screen.queryAllByRole("combobox", { name: "Theme" })[0];

// Specification 2.5
test("an unknown path shows the not-found page", async () => {
  await renderApp("/nowhere/at/all");
  expect((await screen.findByRole("heading")).textContent).toBe("404 Page Not Found");
  expect(screen.getByText("Did you forget to add the page to the router?")).toBeTruthy();
});

test("announces each page after the first, only with its own title", async () => {
  await renderApp("/login");
  await screen.findByLabelText("Email");
  const announcement = document.querySelector("p[aria-live=polite]");
  expect(announcement?.textContent).toBe("");
  const announced: (string | null | undefined)[] = [];
  const observer = new MutationObserver(() => announced.push(announcement?.textContent));
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  await userEvent.click(screen.getByRole("link", { name: "Tapthru" }));
  await waitFor(() => expect(announcement?.textContent).toBe("Tapthru"));
  expect(new Set(announced)).toEqual(new Set(["", "Tapthru"]));
  observer.disconnect();
});

test("a new page has the focus, and going back returns it to the link that led there", async () => {
  const { goBack } = await renderApp("/login");
  const main = within(await screen.findByRole("main"));
  await userEvent.click(await main.findByRole("link", { name: "Sign up for free" }));
  await screen.findByRole("heading", { name: "Create your account" });
  expect(document.activeElement).toBe(screen.getByRole("main"));
  await goBack();
  await screen.findByRole("heading", { name: "Welcome back" });
  expect(document.activeElement).toBe(main.getByRole("link", { name: "Sign up for free" }));
});

test("the skip link moves the focus to the content without changing the URL", async () => {
  await renderApp("/nowhere");
  await screen.findByRole("heading");
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Skip to content");
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("main"));
  expect(location.hash).toBe("");
});

describe("the floating element", () => {
  // Specification 2.6
  test.each(["/", "/nowhere"])("is shown on %s", async (path) => {
    await renderApp(path);
    expect(floatingElement()).toBeTruthy();
  });

  // Specification 2.6
  test.each(["/redirect", "/x/redirect/y"])("is not shown on %s", async (path) => {
    await renderApp(path);
    expect(screen.getByRole("link", { name: "Tapthru" })).toBeTruthy();
    expect(floatingElement()).toBeUndefined();
  });
});

test.each([
  ["/redirect", false],
  ["/link/redirect-deals", true],
])("the footer of %s: %o", async (path, isShown) => {
  await renderApp(path);
  await screen.findByRole("link", { name: "Tapthru" });
  expect(screen.queryByRole("contentinfo") !== null).toBe(isShown);
});
