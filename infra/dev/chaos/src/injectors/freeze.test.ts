import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { processTable } from "@tapthru/local/processes/process-table";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Testbed } from "../testbed/testbed.ts";
import { whileFrozen } from "./freeze.ts";

/** Of a process and its only child, such as "S" (sleeping) or "T" (stopped), see proc(5). */
function states(pid: number): string[] {
  const pids = processTable().filter((entry) => entry.pid === pid || entry.parent === pid);
  return pids.map(
    (entry) => /\) (\w)/.exec(readFileSync(`/proc/${entry.pid}/stat`, "utf8"))?.[1] ?? "",
  );
}

it.runIf(process.platform === "linux")(
  "stops a process and its children during the work, including a child in its own group",
  async () => {
    const parent = spawn("/bin/sh", ["-c", "setsid sleep 60 & echo $!; wait"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [child] = await once(parent.stdout, "data");
    onTestFinished(() => void process.kill(Number(child), "SIGKILL"));
    const pid = parent.pid ?? 0;
    const testbed = { processes: { pid: () => pid } } as unknown as Testbed;

    await whileFrozen(testbed, ["Postgres"], () =>
      vi.waitFor(() => expect(states(pid)).toEqual(["T", "T"])),
    );

    await vi.waitFor(() => expect(states(pid)).toEqual(["S", "S"]));
  },
);
