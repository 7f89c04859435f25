import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("returns different ports outside the ephemeral range", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));

  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("returns no port of another process, although nothing listens on it yet", async () => {
  const mine = await Promise.all(Array.from({ length: 100 }, freePort));
  const module = new URL("free-port.ts", import.meta.url).href;
  const script = `const { freePort } = await import(${JSON.stringify(module)});
    for (let i = 0; i < 100; i++) console.log(await freePort());`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--input-type=module", "--eval"],
    script,
  ]);
  const others = stdout.trim().split("\n").map(Number);

  expect(others).toHaveLength(100);
  expect(mine.filter((port) => others.includes(port))).toEqual([]);
});
