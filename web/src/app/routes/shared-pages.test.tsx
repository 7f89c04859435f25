import { ERRORS } from "@tapthru/proto/errors";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { SharedClicks } from "@tapthru/proto/shared-pages";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { click, fill, section } from "../../testing/controls.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";

const COUNTS = { person: 12, visitors: 9, preview: 3, bot: 1 };
const CLICKS: SharedClicks = {
  name: "Camping Co., autumn",
  shortUrl: "https://tapthru.example/l/abcdefg",
  linkCount: 1,
  month: "2026-11",
  totals: COUNTS,
  days: [{ day: "2026-11-01", ...COUNTS }],
};
test("a sponsor chooses a month", async () => {
  const sent = serve("POST /api/shared-pages/read", ({ body }) => {
    const { month } = z.parse(z.object({ month: z.string() }), body);
    return { ...CLICKS, month: month || "2026-11", months: ["2026-11", "2026-10"] };
  });
  await renderApp("/shared#secret");
  expect(await screen.findByRole("heading", { level: 1, name: CLICKS.name })).toBeTruthy();
  expect(screen.getByRole("row", { name: "Sun, Nov 1 12 9 3 1" })).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Month"), "October 2026");
  const months = ["", "2026-10"].map((month) => ({ token: "secret", month }));
  await waitFor(() => expect(sent).toEqual(months));
});

test("the months stay after one could not be loaded", async () => {
  serve("POST /api/shared-pages/read", ({ body }) => {
    const { month } = z.parse(z.object({ month: z.string() }), body);
    return month === "2026-10" ? failure(400) : { ...CLICKS, months: ["2026-11", "2026-10"] };
  });
  await renderApp("/shared#secret");
  await userEvent.selectOptions(await screen.findByLabelText("Month"), "October 2026");
  await screen.findByText("The clicks of this month could not be loaded.");
  await userEvent.selectOptions(screen.getByLabelText("Month"), "November 2026");
  await screen.findByRole("row", { name: "Sun, Nov 1 12 9 3 1" });
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
  const page = { id: 1, name: "Camping Co.", linkId: 7, of: "abcdefg", endsOn: "2030-01-31" };
  serve("GET /api/shared-pages", () =>
    Array.from({ length: SHARED_PAGES_MAX_COUNT }, (_, id) => ({ ...page, id, linkId: 8 })),
  );
  serve("GET /api/links/:shortCode", () => shortLink({ id: 7 }));
  await renderPages("/link/abcdefg/clicks");
  await screen.findByText(ERRORS["too-many-shared-pages"].message);
});

test("a secret link that is unknown does not work", async () => {
  serve("POST /api/shared-pages/read", () => failure(404));
  await renderApp("/shared#secret");
  expect(await screen.findByRole("heading", { name: "This link does not work" })).toBeTruthy();
});

test.each([
  ["/link/abcdefg/clicks", { linkId: 7 }, ["Camping Co."]],
  ["/clicks", { labelId: 3 }, ["Camping Co.", "Another link"]],
])("on %s, clicks are shared by a secret link that is shown once", async (path, of, listed) => {
  const page = { id: 1, name: "Camping Co.", linkId: 7, of: "abcdefg", endsOn: "2030-01-31" };
  const sent = serve("POST /api/shared-pages", () => ({ ...page, url: "https://tapthru.example/shared#secret" }));
  serve("GET /api/shared-pages", () => [page, { ...page, id: 2, name: "Another link", linkId: 8 }]);
  serve("GET /api/links/:shortCode", () => shortLink({ id: 7 }));
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages(path);
  await screen.findByRole("heading", { name: "Camping Co." });
  const card = await section("Share clicks");
  expect(card.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual(listed);
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  if ("labelId" in of) await userEvent.selectOptions(await screen.findByLabelText("Label"), "Gifts");
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await fill("Last day on which the link works", endsOn);
  await click("Create secret link");
  expect(await screen.findByText("https://tapthru.example/shared#secret")).toBeTruthy();
  expect(sent).toEqual([{ of, name: "Camping Co.", endsOn }]);
});
