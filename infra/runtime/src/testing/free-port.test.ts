import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("gives everybody a port of his own, none of those that systems give out", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));

  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
