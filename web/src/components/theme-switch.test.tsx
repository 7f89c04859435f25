import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ThemeSwitch } from "./theme-switch.tsx";

afterEach(() => {
  delete document.documentElement.dataset.theme;
});

const field = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Theme" });

test.each([
  ["Light", "light"],
  ["Dark", "dark"],
])("%s is applied at once and stored for the next visit", async (name, theme) => {
  render(<ThemeSwitch />);
  expect(field().value).toBe("system");
  await userEvent.selectOptions(field(), name);
  expect(document.documentElement.dataset.theme).toBe(theme);
  expect(localStorage.getItem("theme")).toBe(theme);
  expect(field().value).toBe(theme);
});

test("an unknown stored theme counts as the system's", () => {
  document.documentElement.dataset.theme = "sepia";
  render(<ThemeSwitch />);
  expect(field().value).toBe("system");
});
