import { expect, it } from "vitest";
import { FAULT_CASES } from "./cases/catalogue.ts";
import { readCommandLine } from "./command-line.ts";

it("selects all fault cases without arguments", () => {
  expect(readCommandLine([]).faultCases).toBe(FAULT_CASES);
});

it("selects the named fault cases in the order of their numbers, and reads the seed", () => {
  const { faultCases, seed } = readCommandLine(["R14", "R8", "--seed", "7"]);

  expect(faultCases.map(({ id }) => id)).toEqual(["R8", "R14"]);
  expect(seed).toBe(7);
});

it.each([
  [["R8", "R0"], /^Unknown fault case R0\. Known: R1, R2, /],
  [["--seed", "luck"], /^--seed must be an integer\.$/],
  [["--sed", "7"], /'--sed'/],
])("rejects %j", (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});
