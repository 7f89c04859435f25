import { expect, it } from "vitest";
import { faultCases as allFaultCases } from "./cases/catalogue.ts";
import { readCommandLine } from "./command-line.ts";

it("selects all fault cases without arguments", () => {
  const { faultCases } = readCommandLine([]);

  expect(faultCases.map(({ id }) => id)).toEqual(allFaultCases().map(({ id }) => id));
});

it("selects the named fault cases in the order of their numbers, and reads the seed", () => {
  const { faultCases, seed } = readCommandLine(["R14", "R8", "--seed", "7"]);

  expect(faultCases.map(({ id }) => id)).toEqual(["R8", "R14"]);
  expect(seed).toBe(7);
});

it("runs a fault case that is named twice twice", () => {
  const { faultCases } = readCommandLine(["R27", "R27", "--visits", "1000000"]);

  expect(faultCases.map(({ id }) => id)).toEqual(["R27", "R27"]);
});

it.each([
  [["R8", "R0"], /^Unknown fault case R0\. Known: R1, R2, /],
  [["--seed", "luck"], /^--seed must be an integer\.$/],
  [["--visits", "many"], /^--visits must be a positive integer\.$/],
  [["--sed", "7"], /'--sed'/],
])("rejects %j", (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});
