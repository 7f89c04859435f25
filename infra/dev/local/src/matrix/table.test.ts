import { expect, it } from "vitest";
import { MACHINES } from "./machines.ts";
import { withResults } from "./table.ts";

const EMPTY = "Before.\n\n<!-- pnpm matrix -->\n<!-- end of pnpm matrix -->\n\nAfter.\n";
const [first, second] = MACHINES;
if (first === undefined || second === undefined) throw new Error("There are too few machines.");

it("adds a line for each tested machine and keeps the rest of the page", () => {
  const results = [first, second].map((machine) => ({
    machine,
    testedAt: "2026-07-31, `0123abc`",
    outcomes: { start: "passed" },
  }));
  const page = withResults(EMPTY, results);
  expect(page).toMatch(/^Before[.]\n\n/);
  expect(page).toMatch(/\n\nAfter[.]\n$/);
  expect(page).toMatch(
    new RegExp(
      `^[|] ${first.name} [|].+[|] passed [(]2026-07-31, \`0123abc\`[)] [|] not tested [|]$`,
      "m",
    ),
  );
});

it("keeps the outcome and the commit of a command that was not tested again", () => {
  const once = withResults(EMPTY, [
    { machine: first, testedAt: "2026-07-31, `0123abc`", outcomes: { start: "passed" } },
  ]);
  const twice = withResults(once, [
    { machine: first, testedAt: "2026-08-01, `4567def`", outcomes: { test: "failed" } },
  ]);
  expect(twice.match(/^[|] root .+$/gm)).toEqual([
    expect.stringMatching(
      /[|] passed [(]2026-07-31, `0123abc`[)] [|] failed [(]2026-08-01, `4567def`[)] [|]$/,
    ),
  ]);
});

it("covers each value of each property with at least one machine", () => {
  const values = (property: keyof (typeof MACHINES)[number]) =>
    new Set(MACHINES.map((machine) => machine[property]));
  expect(values("node")).toEqual(new Set([20, 22, 24]));
  expect(values("cores")).toEqual(new Set([1, 2, 4, 8]));
  for (const property of [
    "user",
    "fonts",
    "hasDocker",
    "arePortsInUse",
    "isLocaleInstalled",
  ] as const) {
    expect(values(property).size, property).toBe(2);
  }
});
