import { printError } from "../user-facing-error.ts";
import { causeOf } from "./error-text.ts";
import { failedPhase, NO_RESULTS, type TestResults } from "./results.ts";

/** A part of `pnpm test`. */
export interface TestPhase {
  title: string;
  run(): Promise<TestResults>;
  /** How many tests it has at least; null where they cannot be listed. */
  countTests(): Promise<number | null>;
}

/** A part that breaks as a whole is one failure, and does not keep the others from running. */
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
