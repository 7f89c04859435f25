import { expect, it } from "vitest";
import { summarizePauses } from "./gc-pauses.ts";

it("gives number, median and longest pause of each kind that occurred", () => {
  const minor = [0.5, 2.25, 0.75].map((ms) => ({ kind: 1, ms }));
  expect(summarizePauses([...minor, { kind: 4, ms: 6 }])).toBe(
    "young generation: 3, 0.8 ms, 2.3 ms; whole heap: 1, 6.0 ms, 6.0 ms",
  );
  expect(summarizePauses([])).toBe("");
});
