import { runCommand } from "../run-command.ts";
import { summaryOf } from "../test-report/summary.ts";
import { runContractTests } from "../test-suites/contract-tests.ts";

await runCommand(async (signal) => {
  const results = await runContractTests(signal);
  console.log(`\n${summaryOf(results)}`);
  return results.failed.length === 0 && !signal.aborted;
});
