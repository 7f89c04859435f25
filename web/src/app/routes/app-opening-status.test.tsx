import type { RowStatus } from "@tapthru/proto/http/app-opening-status";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
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
  expect(item.textContent).toContain("1,180 of 1,240 taps");
  await userEvent.click(
    within(item).getByText("Versions of Instagram on iPhone", { selector: "span" }),
  );
  expect(cellsOf(within(item).getByRole("table"))).toEqual([
    ["445", "96%", "1,200"],
    ["Other versions", "75%", "40"],
  ]);
});

test("the page says what counts, also on Android", async () => {
  await open();
  expect(
    await screen.findByText(/^Opened:.* On Android .*every tap after which they left counts/),
  ).toBeTruthy();
  expect(screen.getByText(/fewer than 50 taps are not shown/)).toBeTruthy();
});

/** The texts of a version of the rules. */
async function versionOfRules(version: string): Promise<HTMLElement> {
  const heading = await screen.findByRole("heading", { name: version });
  return heading.closest("li") as HTMLElement;
}

test("a version of the rules says when it was reported and which fields of which rules it changed", async () => {
  tables = [TABLE, { ...TABLE, version: "2026-11-20", lastDay: "2026-11-20" }];
  await open();
  const item = await versionOfRules("2026-11-22");
  expect(within(item).getByText("In use from Nov 20, 2026 to Nov 22, 2026")).toBeTruthy();
  const summary = "3 rules are different from 2026-11-20";
  await userEvent.click(await within(item).findByText(summary, { selector: "span" }));
  const rule = within(item).getByRole("heading", { name: /^Changed rule: X on iPhone/ });
  const [checked] = within(rule.closest("li") as HTMLElement).getAllByRole("definition");
  expect([...(checked?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Before: Nov 30, 2025",
    "Now: Nov 22, 2026",
  ]);
  const first = await versionOfRules("2026-11-20");
  expect(first.textContent).toContain("In use on Nov 20, 2026");
  expect(first.textContent).toContain("The first version.");
});

test("the rules in use are compared with those of this release if the operator changed them", async () => {
  const canary = { id: "x-ios-canary", app: "x", os: "ios", open: "scheme", mode: "tap" };
  const row = { ...canary, escape: null, percent: 10, checked: "2026-12-01", source: "tried" };
  const rows = [...BUILT_IN_OPENING_TABLE.rows, row];
  server.use(
    http.get("/app-opening.json", () =>
      HttpResponse.json({ ...BUILT_IN_OPENING_TABLE, version: "own-2", rows }),
    ),
  );
  tables = ["own-2", "own-1"].map((version) => ({ ...TABLE, version }));
  await open();
  const item = await versionOfRules("own-2");
  const summary = `1 rule is different from ${BUILT_IN_OPENING_TABLE.version}`;
  expect(await within(item).findByText(summary, { selector: "span" })).toBeTruthy();
  expect(item.textContent).toContain("New rule: X on iPhone(x-ios-canary)");
  expect(item.textContent).toContain("Share of visitors10%");
  const earlier = await versionOfRules("own-1");
  expect(earlier.textContent).toContain("what it changed is not stored");
});

test("without the rules in use, the page has the versions of this release", async () => {
  server.use(
    http.get("/app-opening.json", () => new HttpResponse("Unavailable.", { status: 503 })),
  );
  await open();
  const item = await versionOfRules("2026-11-22");
  expect(item.textContent).toContain("3 rules are different from 2026-11-20");
});

test("an app that is unknown to this release has the name of its row", async () => {
  rows = [{ ...ROW, row: "new-android", app: "new-app", os: "android", versions: [] }];
  await open();
  expect(await screen.findByRole("heading", { name: "new-app on Android" })).toBeTruthy();
  expect(screen.queryByText(/^Versions of new/)).toBeNull();
});

test("without reports, the page says when there will be some, and no more", async () => {
  rows = [];
  await open();
  expect(await screen.findByText(/^There are no numbers yet\..* after 50 taps\.$/)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "How this is counted" })).toBeNull();
  expect(screen.queryByRole("heading", { name: "What we changed" })).toBeNull();
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
