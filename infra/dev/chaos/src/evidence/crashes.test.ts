import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { assertNoCrashes } from "./crashes.ts";

async function failedChecks(log: string, unexpectedExits: string[] = []): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-crashes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "api-1.log"), log);
  const results = await assertNoCrashes(unexpectedExits, folder);
  return results.filter(({ passed }) => !passed).map(({ measured }) => measured);
}

const QUIET =
  '{"level":"error","msg":"failed to write redirect record: \\"level\\":\\"fatal\\""}\n';
const UNCAUGHT = '{"level":"fatal","msg":"uncaught exception"}';

it("passes with errors that were caught", async () => {
  expect(await failedChecks(QUIET)).toEqual([]);
});

it("fails on a process that exited unexpectedly", async () => {
  expect(await failedChecks(QUIET, ["api-1 ended with exit code 1."])).toEqual([
    "1: api-1 ended with exit code 1.",
  ]);
});

it("fails on an uncaught error", async () => {
  expect(await failedChecks(`${QUIET}${UNCAUGHT}\n${QUIET}`)).toEqual([`1: ${UNCAUGHT}`]);
});
