import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchInterruption } from "@tapthru/local/stack/interruption";
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

const interruption = watchInterruption(() => process.exit(130));
try {
  const bench = SUBJECTS.get(process.argv[2] ?? "");
  if (!bench) throw new UserFacingError(`Usage: pnpm bench ${[...SUBJECTS.keys()].join(" | ")}`);
  const chapter = await bench(interruption);
  const previous = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  writeFileSync(PAGE, replaceChapter(previous, chapter));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof UserFacingError) console.error(error.message);
  else if (!interruption.aborted) throw error;
}
