import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckResult, none } from "../check-result.ts";

/** What must hold whatever is done to the stack: nobody ends by himself, and no error goes uncaught. */
export async function assertNoCrashes(
  deaths: readonly string[],
  logsDir: string,
): Promise<CheckResult[]> {
  const logs = (await readdir(logsDir)).filter((name) => name.endsWith(".log"));
  const uncaught = await Promise.all(
    logs.map(async (name) => fatalRecords(await readFile(join(logsDir, name), "utf8"))),
  );
  return [
    none("processes that ended by themselves", deaths),
    none("uncaught errors in the logs", uncaught.flat()),
  ];
}

function fatalRecords(log: string): string[] {
  return log.split("\n").filter((line) => /^\{"level":"fatal"/.test(line));
}
