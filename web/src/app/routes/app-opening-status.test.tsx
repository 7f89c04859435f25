import type { RowStatus } from "@tapthru/proto/app-opening-status";
import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";

const ROW: RowStatus = {
  row: "instagram-ios",
  app: "instagram",
  os: "ios",
  tried: 1_240,
  opened: 1_180,
};

let rows: RowStatus[];
let isUnavailable: boolean;
beforeEach(() => {
  rows = [ROW];
  isUnavailable = false;
  server.use(
    http.get("/api/status/app-opening", () =>
      isUnavailable
        ? new HttpResponse("Unavailable.", { status: 503 })
        : HttpResponse.json({ since: "2026-10-24", rows }),
    ),
  );
});

const open = () => renderApp("/status/app-opening");
test("a visitor without an account sees the rate of each row", async () => {
  await open();
  const heading = await screen.findByRole("heading", { name: "Instagram on iPhone" });
  const item = heading.closest("li") as HTMLElement;
  expect(item.textContent).toContain("95%");
  expect(item.textContent).toContain("1,180 of 1,240 taps");
});

test("an app that is unknown to this release has the name of its row", async () => {
  rows = [{ ...ROW, row: "new-android", app: "new-app", os: "android" }];
  await open();
  expect(await screen.findByRole("heading", { name: "new-app on Android" })).toBeTruthy();
});

test("without reports, the page says when there will be some, and no more", async () => {
  rows = [];
  await open();
  expect(await screen.findByText(/^There are no numbers yet\..* after 50 taps\.$/)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "How this is counted" })).toBeNull();
});
