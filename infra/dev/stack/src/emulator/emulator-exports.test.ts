import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  exitExportFolder,
  keepNewestExport,
  lastExport,
  markComplete,
} from "./emulator-exports.ts";

let homeDir: string;
let exportsDir: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-exports-"));
  homeDir = join(folder, "home");
  exportsDir = join(folder, "exports");
  await mkdir(homeDir);
  await mkdir(exportsDir);
});
afterEach(() => rm(join(homeDir, ".."), { recursive: true }));

async function makeExport(path: string, second: number): Promise<string> {
  await mkdir(path);
  const metadata = join(path, "firebase-export-metadata.json");
  await writeFile(metadata, `created at ${second}`);
  await utimes(metadata, second, second);
  return path;
}

it("finds nothing before the first export", async () => {
  expect(await lastExport(homeDir, exportsDir)).toBeNull();
});

it("keeps the newest export, independent of its name, and removes the others", async () => {
  await makeExport(join(exportsDir, "200"), 1);
  const newest = await makeExport(join(exportsDir, "100"), 2);

  expect(await keepNewestExport(exportsDir)).toBe(newest);
  expect(await readdir(exportsDir)).toEqual(["100"]);
});

it("prefers a complete export to an incomplete one", async () => {
  const complete = await makeExport(join(exportsDir, "1"), 1);
  await mkdir(join(exportsDir, "2"));

  expect(await lastExport(homeDir, exportsDir)).toBe(complete);
});

it("uses the export of the emulator's exit", async () => {
  await makeExport(join(exportsDir, "1"), 1);
  await makeExport(exitExportFolder(homeDir), 2);
  markComplete(homeDir);

  const kept = await lastExport(homeDir, exportsDir);

  expect(kept).not.toBe(join(exportsDir, "1"));
  expect((await readdir(exportsDir)).map((name) => join(exportsDir, name))).toEqual([kept]);
});

it("ignores that export when the emulator ended before it had all accounts", async () => {
  const complete = await makeExport(join(exportsDir, "1"), 1);
  await makeExport(exitExportFolder(homeDir), 2);

  expect(await lastExport(homeDir, exportsDir)).toBe(complete);
});
