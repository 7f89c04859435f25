import type { RowStatus } from "@tapthru/proto/http/app-opening-status";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
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
  versions: [
    { version: "445", tried: 1_200, opened: 1_150 },
    { version: null, tried: 40, opened: 30 },
  ],
};
const TABLE = { version: "2026-11-22", firstDay: "2026-11-20", lastDay: "2026-11-22" };

let rows: RowStatus[];
let tables: (typeof TABLE)[];
let isUnavailable: boolean;
beforeEach(() => {
  rows = [ROW];
  tables = [TABLE];
  isUnavailable = false;
  server.use(
    http.get("/api/status/app-opening", () =>
      isUnavailable
        ? new HttpResponse("Unavailable.", { status: 503 })
        : HttpResponse.json({ since: "2026-10-24", rows, tables }),
    ),
  );
});

const open = () => renderApp("/status/app-opening");
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test("a visitor without an account sees the rate of each row and of its versions", async () => {
  await open();
  const heading = await screen.findByRole("heading", { name: "Instagram on iPhone" });
  const item = heading.closest("li") as HTMLElement;
  expect(item.textContent).toContain("95%");
  expect(item.textContent).toContain("1,180 of 1,240 pages opened it");
  await userEvent.click(
    within(item).getByText("Versions of Instagram on iPhone", { selector: "span" }),
  );
  expect(cellsOf(within(item).getByRole("table"))).toEqual([
    ["445", "96%", "1,200"],
    ["Other versions", "75%", "40"],
  ]);
});

test("the page says what counts, also on Android, and lists the versions of the rules", async () => {
  await open();
  expect(
    await screen.findByText(/^Opened:.* On Android .*every page that was left counts/),
  ).toBeTruthy();
  expect(screen.getByText(/fewer than 50 reports are left out/)).toBeTruthy();
  expect(cellsOf(screen.getByRole("table", { name: "Versions of the rules" }))).toEqual([
    ["2026-11-22", "Nov 20, 2026", "Nov 22, 2026"],
  ]);
});

test("an app that is unknown to this release has the name of its row", async () => {
  rows = [{ ...ROW, row: "new-android", app: "new-app", os: "android", versions: [] }];
  await open();
  expect(await screen.findByRole("heading", { name: "new-app on Android" })).toBeTruthy();
  expect(screen.queryByText(/^Versions of new/)).toBeNull();
});

test("without reports, the page says when there will be some", async () => {
  rows = [];
  tables = [];
  await open();
  expect(await screen.findByText(/^Too few reports yet\..* after 50 reports\.$/)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Versions of the rules" })).toBeNull();
});

test("after a failure, the visitor can try again", async () => {
  isUnavailable = true;
  await open();
  const retry = await screen.findByRole("button", { name: "Try again" }, { timeout: 20_000 });
  expect(screen.getByRole("alert").textContent).toContain("could not be loaded");
  isUnavailable = false;
  await userEvent.click(retry);
  expect(await screen.findByRole("heading", { name: "Instagram on iPhone" })).toBeTruthy();
});
