import { execFileSync } from "node:child_process";

/** How many files a child process may have open: the hard limit, to which Node raises its own soft limit. */
export function openFilesLimit(): number {
  const limit = execFileSync("/bin/sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}
