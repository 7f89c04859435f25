import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, onTestFinished, test } from "vitest";
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

test("the browser's bar has the color of the chosen theme", async () => {
  const colors = ["light", "dark"].map((scheme) => {
    const color = document.createElement("meta");
    color.name = "theme-color";
    color.media = `(prefers-color-scheme: ${scheme})`;
    return color;
  });
  document.head.append(...colors);
  onTestFinished(() => {
    for (const color of colors) color.remove();
  });
  const media = () => colors.map((color) => color.media);
  render(<ThemeSwitch />);
  await userEvent.click(screen.getByRole("radio", { name: "Dark" }));
  expect(media()).toEqual(["not all", "all"]);
  await userEvent.click(screen.getByRole("radio", { name: "System" }));
  expect(media()).toEqual(["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]);
});

test("an unknown stored theme counts as the system's", () => {
  document.documentElement.dataset.theme = "sepia";
  render(<ThemeSwitch />);
  expect(screen.getByRole("button", { name: "Theme: System" })).toBeTruthy();
});
