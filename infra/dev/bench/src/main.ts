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

const PAGE = join(CHECKOUT, "docs", "benchmarks.md");
const SUBJECTS = new Map([
  ["redirect", benchRedirect],
  ["profile", benchProfile],
  ["links", benchLinks],
  ["clicks", benchClicks],
  ["api", benchApi],
  ["paint", benchPaint],
  ["lighthouse", benchLighthouse],
]);

await runCommand(async (signal) => {
  const [subject = ""] = process.argv.slice(2);
  const bench = SUBJECTS.get(subject);
  if (!bench) throw new UserFacingError(`Usage: pnpm bench ${[...SUBJECTS.keys()].join(" | ")}`);
  const text = await bench(signal);
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    replaceMarkedText(page, `pnpm bench ${subject}`, () => text),
  );
  return true;
});
