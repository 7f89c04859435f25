import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { choose } from "../../testing/controls.ts";
import { earningsRow, earningsTable, figuresOf, linkEarnings, sumsIn } from "../../testing/earnings.ts";
import { mainChannel } from "../../testing/examples.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve, serveChannels } from "../../testing/serve.ts";

const REPORTED = { reportedUntil: "2026-11-24", earningsUntil: "2026-11-24" };
const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
const EARNINGS = earningsTable({
  ...REPORTED,
  from: "2026-11-01",
  to: "2026-11-03",
  totals: figuresOf({ sums }),
  rows: [earningsRow({ key: "2026-11-01", people: 4, sums })],
});
const LINK = shortLink({ shortCode: "lampcod" });

const choices = () => screen.queryAllByRole("combobox").map((list) => list.getAttribute("aria-label"));

test.each([
  ["a chart of earnings", "/earnings", "Channel", "Blog", (search: URLSearchParams) => search.has("channel")],
  ["a table of earnings", "/earnings", "By", "Day", (search: URLSearchParams) => search.get("by") === "day"],
  ["earnings of a period", "/earnings", "Period", "90 days", (search: URLSearchParams) => !search.has("limit")],
  ["a link's earnings", "/link/lampcod/clicks", "Period", "90 days", () => true],
  ["clicks", "/clicks", "Period", "90 days", () => true],
] as const)(
  "%s that cannot be loaded can be requested again, and the choices stay",
  async (_what, path, list, option, fails) => {
    serve("GET /api/links/lampcod", () => LINK);
    serve("GET /api/earnings/rate-changes", () => ({ hasRevenue: true, changes: [] }));
    serve("GET /api/earnings/rates", () => ({ currency: null, rates: [], referenceDay: null }));
    serveChannels(mainChannel(), mainChannel({ id: 7, name: "Blog", isDefault: false }));
    let isFailing = false;
    const refuse =
      (reply: unknown) =>
      ({ query }: { query: URLSearchParams }) =>
        isFailing && fails(query) ? failure(500) : reply;
    serve("GET /api/earnings", refuse(EARNINGS));
    serve("GET /api/links/:shortCode/earnings", refuse(linkEarnings({ ...REPORTED, sums })));
    if (path === "/clicks") serve("GET /api/clicks", () => failure(500));
    await renderPages(path);
    await screen.findAllByRole("combobox", { name: list });
    if (path === "/earnings") await screen.findByRole("combobox", { name: "Currency" });
    const before = choices().filter((name) => name !== "Currency");
    isFailing = true;
    await choose(list, option);
    const alerts = await screen.findAllByRole("alert");
    expect(choices()).toEqual(expect.arrayContaining(before));
    expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(alerts.length);
  },
);
