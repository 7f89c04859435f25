import { runChecks } from "../test-suites/checks.ts";
import { titlesOf } from "../test-suites/outcomes.ts";

process.exitCode = titlesOf(await runChecks(), "failed").length === 0 ? 0 : 1;
