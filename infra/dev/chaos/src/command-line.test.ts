import { expect, it } from "vitest";
import { ROWS } from "./cases/catalogue.ts";
import { readCommandLine } from "./command-line.ts";

it("takes all rows where none is named", () => {
  expect(readCommandLine([]).rows).toBe(ROWS);
});

it("takes the rows that are named, in the order of the table, and the seed", () => {
  const { rows, seed } = readCommandLine(["R14", "R8", "--seed", "7"]);

  expect(rows.map(({ id }) => id)).toEqual(["R8", "R14"]);
  expect(seed).toBe(7);
});

it.each([
  [["R8", "R0"], /^There is no row R0: choose among R1, R2, /],
  [["--seed", "luck"], /^--seed takes a whole number\.$/],
  [["--sed", "7"], /'--sed'/],
])("refuses %j in a sentence", (args, sentence) => {
  expect(() => readCommandLine(args)).toThrow(sentence);
});
