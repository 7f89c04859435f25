import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ThemeSwitch } from "./theme-switch.tsx";

afterEach(() => {
  delete document.documentElement.dataset.theme;
});

test("follows the system until a theme is chosen", () => {
  render(<ThemeSwitch />);
  expect(screen.getByRole("button", { name: "Theme: System" })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "System" }).checked).toBe(true);
});

test.each([
  ["Light", "light"],
  ["Dark", "dark"],
])("%s is applied at once and stored for the next visit", async (name, theme) => {
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole("radio", { name }));
  expect(document.documentElement.dataset.theme).toBe(theme);
  expect(localStorage.getItem("theme")).toBe(theme);
  expect(screen.getByRole("button", { name: `Theme: ${name}` })).toBeTruthy();
});

test("an unknown stored theme counts as the system's", () => {
  document.documentElement.dataset.theme = "sepia";
  render(<ThemeSwitch />);
  expect(screen.getByRole("button", { name: "Theme: System" })).toBeTruthy();
});
