import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchInterruption } from "@tapthru/local/interruption";
import { PlainError } from "@tapthru/local/plain-error";
import { CHECKOUT } from "@tapthru/local/settings";
import { benchPaint } from "./paint/bench-paint.ts";
import { benchRedirect } from "./redirect/bench-redirect.ts";
import { benchmarksPage, type Chapter } from "./report/benchmarks-page.ts";

const PAGE = join(CHECKOUT, "docs", "benchmarks.md");
const SUBJECTS = new Map<string, (signal: AbortSignal) => Promise<Chapter>>([
  ["redirect", benchRedirect],
  ["paint", benchPaint],
]);

const interruption = watchInterruption(() => process.exit(130));
try {
  const bench = SUBJECTS.get(process.argv[2] ?? "");
  if (!bench) throw new PlainError(`Say what: pnpm bench ${[...SUBJECTS.keys()].join(" | ")}`);
  const chapter = await bench(interruption);
  const former = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  writeFileSync(PAGE, benchmarksPage(former, chapter));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof PlainError) console.error(error.message);
  else if (!interruption.aborted) throw error;
}
