import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("returns a different port to each process, outside the ephemeral range", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));

  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
