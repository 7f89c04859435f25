import { expect, it } from "vitest";
import type { ReportedGroup } from "./queries.ts";
import { rowStatuses } from "./row-statuses.ts";

function group(version: string, tried: number, fields: Partial<ReportedGroup> = {}): ReportedGroup {
  return { row: "x-ios", app: "x", os: "ios", version, tried, opened: tried, ...fields };
}

it("has the rows with at least 50 reports, most reports first", () => {
  const rows = rowStatuses([
    group("", 49, { row: "rare-ios" }),
    group("", 50, { row: "few-ios" }),
    group("12", 50),
    group("", 49, { opened: 9 }),
  ]);
  expect(rows).toEqual([
    {
      row: "x-ios",
      app: "x",
      os: "ios",
      tried: 99,
      opened: 59,
      versions: [
        { version: "12", tried: 50, opened: 50 },
        { version: null, tried: 49, opened: 9 },
      ],
    },
    { row: "few-ios", app: "x", os: "ios", tried: 50, opened: 50, versions: [] },
  ]);
});

it("has the 20 most reported versions, the newest first; the others are one group", () => {
  const groups = Array.from({ length: 30 }, (_, index) => group(`${95 + index}`, 100 - index));
  const [row] = rowStatuses(groups);
  const known = Array.from({ length: 20 }, (_, index) => `${114 - index}`);
  expect(row?.versions.map(({ version }) => version)).toEqual([...known, null]);
  expect(row?.versions.reduce((sum, { tried }) => sum + tried, 0)).toBe(row?.tried);
});
