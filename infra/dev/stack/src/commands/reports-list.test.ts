import { expect, it } from "vitest";
import { reportsList } from "./reports-list.ts";

const link = {
  shortCode: "abc2345",
  webUrl: "https://www.amazon.com/dp/B000000001?tag=x-20",
  counts: { harmful: 1, spam: 12 },
  lastReportedAt: new Date("2026-11-20T13:00Z"),
};

it("lists each link with its reports by reason, the most frequent first", () => {
  expect(reportsList([link, { ...link, shortCode: "def6789", counts: { other: 1 } }])).toBe(
    `abc2345  spam 12, harmful 1  last 2026-11-20T13:00:00.000Z
  https://www.amazon.com/dp/B000000001?tag=x-20

def6789  other 1  last 2026-11-20T13:00:00.000Z
  https://www.amazon.com/dp/B000000001?tag=x-20`,
  );
});

it("says that no link was reported", () => {
  expect(reportsList([])).toBe("No link was reported.");
});
