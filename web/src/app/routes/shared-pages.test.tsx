import { ERRORS } from "@tapthru/proto/errors";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { EXAMPLE_SHARED_PAGE, readSharedPage } from "@tapthru/proto/shared-pages";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { choose, click, fill, heading, section, textsOf } from "../../testing/controls.ts";
import { exampleOf } from "../../testing/examples.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";

const COUNTS = { person: 12, visitors: 9, preview: 3, bot: 1 };
const MONTHS = {
  ...exampleOf(readSharedPage),
  name: "Camping Co., autumn",
  totals: COUNTS,
  days: [{ day: "2026-11-01", ...COUNTS }],
  month: "2026-11",
  months: ["2026-11", "2026-10"],
};
const ROW = { name: "Sun, Nov 1 12 9 3 1" };
const PAGE = { ...EXAMPLE_SHARED_PAGE, name: "Camping Co.", linkId: 7 };

test("a sponsor chooses a month, and tries again if it could not be loaded", async () => {
  const sent = serve("POST /api/shared-pages/read", () => MONTHS);
  await renderApp("/shared#secret");
  expect(await heading(MONTHS.name)).toBeTruthy();
  expect(screen.getByRole("row", ROW)).toBeTruthy();
  serve("POST /api/shared-pages/read", () => failure(400), { once: true });
  await choose("Month", "October 2026");
  await screen.findByText("The clicks could not be loaded.");
  await click("Try again");
  await screen.findByRole("row", ROW);
  expect(sent).toEqual(["", "2026-10"].map((month) => ({ token: "secret", month })));
});

test("clicks of a label are not shared without one", async () => {
  const sent = serve("POST /api/shared-pages", () => failure());
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages("/clicks");
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  await click("Create secret link");
  await screen.findByText("Please choose a label");
  expect(sent).toEqual([]);
});

test("a user without labels reads that there are none", async () => {
  await renderPages("/clicks");
  await click("Share clicks");
  await screen.findByText(/^You have no labels\./);
  expect(screen.queryByRole("button", { name: "Create secret link" })).toBeNull();
});

test("the maximum counts all that is shared, also of other links", async () => {
  const all = Array.from({ length: SHARED_PAGES_MAX_COUNT }, (_, id) => ({ ...PAGE, id, linkId: 8 }));
  serve("GET /api/shared-pages", () => all);
  serve("GET /api/links/abcdefg", () => shortLink({ id: 7 }));
  await renderPages("/link/abcdefg/clicks");
  await screen.findByText(ERRORS["too-many-shared-pages"].message);
});

test.each([
  ["/link/abcdefg/clicks", { linkId: 7 }, ["Camping Co."]],
  ["/clicks", { labelId: 3 }, ["Camping Co.", "Another link"]],
])("on %s, clicks are shared by a secret link that is shown once", async (path, of, listed) => {
  const url = "https://tapthru.example/shared#secret";
  const sent = serve("POST /api/shared-pages", () => ({ ...PAGE, url }));
  serve("GET /api/shared-pages", () => [PAGE, { ...PAGE, id: 2, name: "Another link", linkId: 8 }]);
  serve("GET /api/links/abcdefg", () => shortLink({ id: 7 }));
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages(path);
  await heading("Camping Co.");
  expect(textsOf((await section("Share clicks")).getAllByRole("heading", { level: 3 }))).toEqual(listed);
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  if ("labelId" in of) await choose("Label", "Gifts");
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await fill("Last day on which the link works", endsOn);
  await click("Create secret link");
  expect(await screen.findByText(url)).toBeTruthy();
  expect(sent).toEqual([{ of, name: "Camping Co.", endsOn }]);
});
