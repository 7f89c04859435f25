import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runK6 } from "./run-k6.ts";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "load-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Replaces k6 with a shell script. */
function installK6(script: string): void {
  const file = join(folder, "k6");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

const run = () =>
  runK6(
    "smoke",
    { baseUrl: "http://127.0.0.1:9", parameters: {}, folder },
    new AbortController().signal,
  );
const html = () => join(folder, "smoke.html");
const json = () => join(folder, "smoke.json");

it("prints only the files that this run wrote", async () => {
  writeFileSync(html(), "earlier run");
  installK6(`echo '{}' > ${json()}`);
  expect(await run()).toBe(true);
  expect(printed).toEqual([json()]);
  expect(existsSync(html())).toBe(false);

  installK6(`echo '{}' > ${json()}; echo > ${html()}`);
  await run();
  expect(printed.at(-1)).toBe(`${html()}, ${json()}`);
});

it("prints no file of an aborted run", async () => {
  writeFileSync(json(), "earlier run");
  installK6("exit 1");
  expect(await run()).toBe(false);
  expect(printed).toEqual([]);
});
