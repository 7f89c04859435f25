import { execFileSync } from "node:child_process";

/** How many files a process started from here may have open. Node has raised its own limit to this one. */
export function openFilesLimit(): number {
  const limit = execFileSync("/bin/sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}
