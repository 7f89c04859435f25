import { describe, expect, it } from "vitest";
import { coverageByPackage, coverageTable } from "./coverage.ts";

const lines = (covered: number, total: number) => ({ lines: { covered, total } });

describe("coverageByPackage", () => {
  it("adds the lines of the files of each package", () => {
    const summary = {
      total: lines(100, 100),
      "/checkout/web/src/app.tsx": lines(1, 2),
      "/checkout/infra/dev/local/src/commands/start.ts": lines(3, 4),
      "/checkout/infra/dev/local/src/commands/test.ts": lines(0, 6),
      "/checkout/infra/dev/load/src/main.ts": lines(5, 5),
    };
    expect(coverageByPackage(summary, "/checkout")).toEqual([
      { name: "infra/dev/load", covered: 5, total: 5 },
      { name: "infra/dev/local", covered: 3, total: 10 },
      { name: "web", covered: 1, total: 2 },
    ]);
  });
});

describe("coverageTable", () => {
  it("has a line for each package, and 100 % for one without lines", () => {
    const table = coverageTable([
      { name: "infra/dev/local", covered: 1, total: 3 },
      { name: "web", covered: 0, total: 0 },
    ]);
    expect(table.split("\n").slice(1)).toEqual([
      "infra/dev/local   33.3 %  1 of 3",
      "web              100.0 %  0 of 0",
    ]);
  });
});
