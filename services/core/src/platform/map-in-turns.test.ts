import { expect, it, vi } from "vitest";
import { mapInTurns } from "./map-in-turns.ts";

it("lets other requests be answered between items that take long", async () => {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (time += 4));
  let turns = 0;
  const count = () => {
    turns += 1;
    if (time < 100) setImmediate(count);
  };
  setImmediate(count);
  const turnsOf = await mapInTurns(Array.from({ length: 20 }), () => turns);
  vi.restoreAllMocks();
  expect(new Set(turnsOf).size).toBeGreaterThan(4);
});
