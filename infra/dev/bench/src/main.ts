import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceMarkedText } from "@tapthru/local/replace-marked";
import { runCommand } from "@tapthru/local/run-command";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { benchApi } from "./api/bench-api.ts";
import { benchClicks } from "./clicks/bench-clicks.ts";
import { benchLighthouse } from "./lighthouse/bench-lighthouse.ts";
import { benchLinks } from "./links/bench-links.ts";
import { benchPaint } from "./paint/bench-paint.ts";
import { benchProfile } from "./profile/bench-profile.ts";
import { benchRedirect } from "./redirect/bench-redirect.ts";
import { benchSoak } from "./soak/bench-soak.ts";

const PAGE = join(CHECKOUT, "docs", "benchmarks.md");
/** Returns the text for the page; a benchmark with limits also whether it stayed within them. */
type Bench = (signal: AbortSignal, args: string[]) => Promise<string | Verdict>;
interface Verdict {
  text: string;
  passed: boolean;
}

const SUBJECTS = new Map<string, Bench>([
  ["redirect", benchRedirect],
  ["profile", benchProfile],
  ["links", benchLinks],
  ["clicks", benchClicks],
  ["api", benchApi],
  ["soak", benchSoak],
  ["paint", benchPaint],
  ["lighthouse", benchLighthouse],
]);

await runCommand(async (signal) => {
  const [subject = "", ...args] = process.argv.slice(2);
  const bench = SUBJECTS.get(subject);
  if (!bench) throw new UserFacingError(`Usage: pnpm bench ${[...SUBJECTS.keys()].join(" | ")}`);
  const result = await bench(signal, args);
  const { text, passed } = typeof result === "string" ? { text: result, passed: true } : result;
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    replaceMarkedText(page, `pnpm bench ${subject}`, () => text),
  );
  return passed;
});
