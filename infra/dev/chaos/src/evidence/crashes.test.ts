import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { assertNoCrashes } from "./crashes.ts";

async function complaints(log: string, deaths: string[] = []): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-household-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "api-1.log"), log);
  const findings = await assertNoCrashes(deaths, folder);
  return findings.filter(({ holds }) => !holds).map(({ measured }) => measured);
}

const QUIET =
  '{"level":"error","msg":"Redis takes no redirect records: \\"level\\":\\"fatal\\""}\n';
const UNCAUGHT = '{"level":"fatal","msg":"uncaught exception"}';

it("is content with errors that were caught", async () => {
  expect(await complaints(QUIET)).toEqual([]);
});

it("complains of a process that ended by itself", async () => {
  expect(await complaints(QUIET, ["api-1 ended with exit code 1."])).toEqual([
    "1: api-1 ended with exit code 1.",
  ]);
});

it("complains of an error that nobody caught", async () => {
  expect(await complaints(`${QUIET}${UNCAUGHT}\n${QUIET}`)).toEqual([`1: ${UNCAUGHT}`]);
});
