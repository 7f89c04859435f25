import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@tapthru/local/run-command";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { benchPaint } from "./paint/bench-paint.ts";
import { benchRedirect } from "./redirect/bench-redirect.ts";
import { type ReportChapter, replaceChapter } from "./report/benchmarks-page.ts";

const PAGE = join(CHECKOUT, "docs", "benchmarks.md");
const SUBJECTS = new Map<string, (signal: AbortSignal) => Promise<ReportChapter>>([
  ["redirect", benchRedirect],
  ["paint", benchPaint],
]);

await runCommand(async (signal) => {
  const bench = SUBJECTS.get(process.argv[2] ?? "");
  if (!bench) throw new UserFacingError(`Usage: pnpm bench ${[...SUBJECTS.keys()].join(" | ")}`);
  const chapter = await bench(signal);
  const previous = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  writeFileSync(PAGE, replaceChapter(previous, chapter));
  return true;
});
