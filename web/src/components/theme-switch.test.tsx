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

test("the color of the browser's bar is that of the chosen theme", async () => {
  for (const theme of ["light", "dark"])
    document.head.insertAdjacentHTML("beforeend", `<meta name="theme-color" data-theme="${theme}">`);
  const metas = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
  const media = () => metas.map((meta) => meta.media);
  render(<ThemeSwitch />);
  const ofSystem = ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"];
  expect(media()).toEqual(ofSystem);
  await userEvent.selectOptions(field(), "Dark");
  expect(media()).toEqual(["not all", "all"]);
  await userEvent.selectOptions(field(), "System");
  expect(media()).toEqual(ofSystem);
  for (const meta of metas) meta.remove();
});

test("an unknown stored theme counts as the system's", () => {
  document.documentElement.dataset.theme = "sepia";
  render(<ThemeSwitch />);
  expect(field().value).toBe("system");
});
