import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";

const section = () => screen.findByRole("region", { name: "How it works" });

test("guests see how it works, the way to the open rates, and questions", async () => {
  await renderApp();
  await section();
  const openRates = screen.getByRole("link", { name: "How often the Amazon app opens" });
  expect(openRates.getAttribute("href")).toBe("/status/app-opening");
  expect(screen.getByRole("heading", { name: "Questions" })).toBeTruthy();
});

test("users see how it works, without the questions of guests", async () => {
  await openAsUser("/");
  await section();
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});
