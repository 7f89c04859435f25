import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const MODULE = JSON.stringify(join(import.meta.dirname, "guard.ts"));

let folder: string;
let runs: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tapthru-guard-"));
  runs = [];
});
afterEach(() => {
  for (const run of runs) run.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts a process that guards the folder when it is asked, and runs until it is killed. */
async function startRun() {
  const script = `
    import { once } from "node:events";
    import { guardDataFolder } from ${MODULE};
    console.log("ready");
    await once(process.stdin, "data");
    const guarded = guardDataFolder(${JSON.stringify(folder)}).then(() => "guarded");
    console.log(await guarded.catch(({ message }) => message));`;
  const run = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  runs.push(run);
  await once(run.stdout, "data");
  return {
    pid: run.pid,
    kill: () => run.kill("SIGKILL"),
    /** Returns "guarded", or the message of the error. */
    async guard(): Promise<string> {
      run.stdin.write("guard");
      return String((await once(run.stdout, "data"))[0]).trim();
    },
  };
}

it("one of several runs that start at once gets the data folder", async () => {
  const started = await Promise.all(Array.from({ length: 4 }, startRun));
  const results = await Promise.all(started.map(({ guard }) => guard()));
  const winner = started[results.indexOf("guarded")];
  expect(results.toSorted()).toEqual([
    ...Array(3).fill(`Tapthru is already running here (process ${winner?.pid}): stop it first, with Ctrl-C.`),
    "guarded",
  ]);
});

it("a run gets the data folder of a run that was killed", async () => {
  const killed = await startRun();
  expect(await killed.guard()).toBe("guarded");
  killed.kill();
  expect(await (await startRun()).guard()).toBe("guarded");
});
