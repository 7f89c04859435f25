import { describe, expect, it } from "vitest";
import { coverageByPackage, coverageTable } from "./coverage.ts";

const lines = (covered: number, total: number) => ({ lines: { covered, total } });

describe("coverageByPackage", () => {
  it("adds the lines of the files of each package", () => {
    const summary = {
      total: lines(100, 100),
      "/checkout/web/src/app.tsx": lines(1, 2),
      "/checkout/infra/local/src/start.ts": lines(3, 4),
      "/checkout/infra/local/src/test.ts": lines(0, 6),
      "/checkout/infra/load/src/main.ts": lines(5, 5),
    };
    expect(coverageByPackage(summary, "/checkout")).toEqual([
      { name: "infra/load", covered: 5, total: 5 },
      { name: "infra/local", covered: 3, total: 10 },
      { name: "web", covered: 1, total: 2 },
    ]);
  });
});

describe("coverageTable", () => {
  it("has a line for each package, and 100 % for one without lines", () => {
    const table = coverageTable([
      { name: "infra/local", covered: 1, total: 3 },
      { name: "web", covered: 0, total: 0 },
    ]);
    expect(table.split("\n").slice(1)).toEqual([
      "infra/local   33.3 %  1 of 3",
      "web          100.0 %  0 of 0",
    ]);
  });
});
