import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckResult, none } from "../check-result.ts";

/** Checks that no process exited unexpectedly and that no error was uncaught. Required by every fault case. */
export async function assertNoCrashes(
  unexpectedExits: readonly string[],
  logsDir: string,
): Promise<CheckResult[]> {
  const logs = (await readdir(logsDir)).filter((name) => name.endsWith(".log"));
  const uncaught = await Promise.all(
    logs.map(async (name) => fatalRecords(await readFile(join(logsDir, name), "utf8"))),
  );
  return [
    none("processes that exited unexpectedly", unexpectedExits),
    none("uncaught errors in the logs", uncaught.flat()),
  ];
}

function fatalRecords(log: string): string[] {
  return log.split("\n").filter((line) => /^\{"level":"fatal"/.test(line));
}
