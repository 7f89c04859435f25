import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { printError } from "@tapthru/core/platform/user-facing-error";
import { runCommand } from "../run-command.ts";
import { runTool } from "../run-tool.ts";
import { hasTestImages } from "../test-servers/docker.ts";
import { runBrowserTests } from "../test-suites/browser-tests.ts";
import { type Outcome, summaryOf, titlesOf } from "../test-suites/outcomes.ts";
import { runVitest } from "../test-suites/runners.ts";

await runCommand(async (signal) => {
  const flag = { type: "boolean", default: false } as const;
  const { values: flags } = parseArgs({ options: { all: flag, "fail-on-skips": flag } });
  const folder = await mkdtemp(join(tmpdir(), "tapthru-reports-"));
  const unitTests = {
    title: "Unit and service tests",
    reportFile: join(folder, "vitest.json"),
    ...(flags.all ? { args: ["--coverage"] } : { env: { EVERYDAY_TESTS: "1" } }),
  };
  const imageTests = {
    title: "Service tests with the oldest servers, and tests of the gateway with its image",
    reportFile: join(folder, "images.json"),
    args: ["--project=node", "services/", "infra/gateway/"],
    env: { EVERYDAY_TESTS: "1", TEST_IMAGES: "on" },
  };
  const faultTests = {
    title: "Fault tests",
    reportFile: join(folder, "faults.json"),
    args: ["--config=infra/dev/faults/vitest.config.ts"],
  };
  const containerTests = {
    title: "Container tests",
    reportFile: join(folder, "containers.json"),
    args: ["--config=infra/dev/tests/src/containers/vitest.config.ts"],
  };
  const parts: Record<string, () => Promise<Outcome[]>> = {
    "Static checks": async () => {
      const output = { stdout: "inherit", stderr: "inherit" } as const;
      const { failed } = await runTool("pnpm", ["check"], { ...output, cancelSignal: signal });
      return [{ title: "Static checks", status: failed ? "failed" : "passed" }];
    },
    [unitTests.title]: () => runVitest(unitTests, signal),
    "Browser tests": () => runBrowserTests(flags.all, signal),
    ...((await hasTestImages()) && {
      [imageTests.title]: () => runVitest(imageTests, signal),
    }),
    ...(flags.all && {
      [faultTests.title]: () => runVitest(faultTests, signal),
      [containerTests.title]: () => runVitest(containerTests, signal),
    }),
  };
  const outcomes: Outcome[] = [];
  for (const [title, runPart] of Object.entries(parts)) {
    if (signal.aborted) break;
    try {
      outcomes.push(...(await runPart()));
    } catch (error) {
      printError(error);
      outcomes.push({ title, status: "failed" });
    }
  }
  await rm(folder, { recursive: true });

  const isForbidden = flags["fail-on-skips"] && titlesOf(outcomes, "skipped").length > 0;
  if (isForbidden) console.log("\nThis run fails because tests were skipped.");
  console.log(`\n${summaryOf(outcomes)}`);
  return titlesOf(outcomes, "failed").length === 0 && !isForbidden && !signal.aborted;
});
