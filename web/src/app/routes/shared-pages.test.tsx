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
