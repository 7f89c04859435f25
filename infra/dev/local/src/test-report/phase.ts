import { printError } from "../user-facing-error.ts";
import { causeOf } from "./error-text.ts";
import { failedPhase, NO_RESULTS, type TestResults } from "./results.ts";

/** A phase of `pnpm test`. */
export interface TestPhase {
  title: string;
  run(): Promise<TestResults>;
  /** The minimum number of its tests; null if they cannot be listed. */
  countTests(): Promise<number | null>;
}

/** Runs a phase. If it throws, it counts as one failure, and the other phases still run. */
export async function runPhase(phase: TestPhase, interruption: AbortSignal): Promise<TestResults> {
  if (interruption.aborted) return NO_RESULTS;
  console.log(`\n${phase.title}`);
  try {
    return await phase.run();
  } catch (error) {
    if (!interruption.aborted) printError(error);
    return failedPhase(phase.title, causeOf(error), await phase.countTests().catch(() => null));
  }
}
