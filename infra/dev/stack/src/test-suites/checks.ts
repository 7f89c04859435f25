import { runTool } from "../run-tool.ts";
import { NO_RESULTS, type Results } from "./results.ts";

interface Check {
  name: string;
  command: readonly [string, ...string[]];
  /** Finds an error in the output of a run with exit code 0. */
  findError?: (output: string) => string | null;
}

const CHECKS: readonly Check[] = [
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "types of web", command: ["tsc", "-p", "web/tsconfig.json"] },
  {
    name: "lint and format",
    command: ["biome", "ci", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."],
  },
  {
    name: "import directions",
    command: [
      "depcruise",
      "--config",
      ".dependency-cruiser.mjs",
      "proto",
      "infra",
      "services",
      "web",
    ],
    findError: noModulesError,
  },
  { name: "dead code", command: ["knip", "--no-progress", "--treat-config-hints-as-errors"] },
];

/** Runs all static checks in parallel and prints the output of the failed ones. */
export async function runChecks(): Promise<Results> {
  const results = await Promise.all(CHECKS.map(runCheck));
  const failed = CHECKS.filter((_, index) => !results[index]).map(({ name }) => name);
  return { ...NO_RESULTS, passed: CHECKS.length - failed.length, failed };
}

async function runCheck({ name, command: [file, ...args], findError }: Check): Promise<boolean> {
  const start = performance.now();
  const { failed, all } = await runTool(file, args, {
    all: true,
    env: process.stdout.isTTY ? { FORCE_COLOR: "1" } : {},
  });
  const errorText = failed ? all : (findError?.(all) ?? null);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${errorText === null ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (errorText !== null) console.log(errorText);
  return errorText === null;
}

/** With a TypeScript version that it does not support, dependency-cruiser checks no modules and succeeds. */
function noModulesError(output: string): string | null {
  const [, modules] = /(\d+) modules/.exec(output) ?? [];
  return Number(modules ?? 0) > 0 ? null : `No module was checked.\n${output}`;
}
