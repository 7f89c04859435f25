import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../testing/render-app.tsx";
import { serve } from "../../testing/serve.ts";

const ROW = { row: "instagram-ios", app: "instagram", os: "ios", tried: 1_240, opened: 1_180 };

function open(...rows: (typeof ROW)[]) {
  serve("GET /api/status/app-opening", () => ({ since: "2026-10-24", rows }));
  return renderApp("/status/app-opening");
}

test("a visitor without an account sees the rate of each row, also of an app that is unknown to this release", async () => {
  await open(ROW, { ...ROW, row: "new-android", app: "new-app", os: "android" });
  expect(await screen.findByRole("row", { name: "Instagram on iPhone 95% 1,240" })).toBeTruthy();
  expect(screen.getByRole("row", { name: /^New-app on Android/ })).toBeTruthy();
});

test("the page without reports says only when there will be some", async () => {
  await open();
  expect(await screen.findByText(/^There are no numbers yet\..* after 50 taps\.$/)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "How this is counted" })).toBeNull();
});
