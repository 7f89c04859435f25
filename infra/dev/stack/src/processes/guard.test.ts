import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const MODULE = JSON.stringify(join(import.meta.dirname, "guard.ts"));

it("one of several runs that start at once gets the data folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tapthru-guard-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = `
    import { guardDataFolder } from ${MODULE};
    process.stdin.resume();
    console.log(await guardDataFolder("${folder}").then(() => "guarded", ({ message }) => message));`;
  const runs = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  onTestFinished(() => runs.forEach((run) => void run.kill("SIGKILL")));
  const results = await Promise.all(runs.map(async ({ stdout }) => String((await once(stdout, "data"))[0]).trim()));
  const winner = runs[results.indexOf("guarded")];
  expect(results.toSorted()).toEqual([
    ...Array(3).fill(`Tapthru is already running here (process ${winner?.pid}): stop it first, with Ctrl-C.`),
    "guarded",
  ]);
});
