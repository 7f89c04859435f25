import { runChecks } from "../test-suites/checks.ts";

const { failed } = await runChecks();
process.exitCode = failed.length === 0 ? 0 : 1;
