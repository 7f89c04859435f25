import { runTool } from "../run-tool.ts";
import type { Outcome } from "./outcomes.ts";

const FOLDERS = ["proto", "infra", "services", "web"];
const CHECKS: Record<string, readonly [string, ...string[]]> = {
  types: ["tsc", "-p", "tsconfig.json"],
  "types of web": ["tsc", "-p", "web/tsconfig.json"],
  "lint and format": ["biome", "ci", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."],
  "import directions": ["depcruise", "--config", ".dependency-cruiser.mjs", ...FOLDERS],
  "circles of folders": ["depcruise", "--config", ".dependency-cruiser.rooms.mjs", "services", "proto", "web/src"],
  budget: ["node", "infra/dev/stack/src/commands/budget.ts"],
  "dead code": ["knip", "--no-progress", "--treat-config-hints-as-errors"],
};

/** Runs all static checks in parallel and prints the output of the failed ones. */
export function runChecks(): Promise<Outcome[]> {
  return Promise.all(Object.keys(CHECKS).map(runCheck));
}

async function runCheck(title: string): Promise<Outcome> {
  const [file = "", ...args] = CHECKS[title] ?? [];
  const start = performance.now();
  const { failed, all } = await runTool(file, args, {
    all: true,
    env: process.stdout.isTTY ? { FORCE_COLOR: "1" } : {},
  });
  // With a TypeScript version that it does not support, dependency-cruiser checks no modules and succeeds.
  const hasPassed = !failed && !/\b0 modules/.test(all);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${hasPassed ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (!hasPassed) console.log(all);
  return { title, status: hasPassed ? "passed" : "failed" };
}
