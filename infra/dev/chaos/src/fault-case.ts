import type { CheckResult } from "./check-result.ts";
import type { Random } from "./random.ts";
import type { Testbed } from "./testbed/testbed.ts";
import type { WaitFunctions } from "./until.ts";

/** A fault that is injected into the stack, and the expected behavior. */
export interface FaultCase {
  id: `R${number}`;
  title: string;
  /** The expected behavior, printed before the case runs. */
  expected: string;
  /** What the case does to the stack, printed before the case runs. */
  procedure: string;
  /** A trial that takes longer is aborted. */
  timeoutMs: number;
  run(trial: Trial): Promise<CheckResult[]>;
}

export interface Trial extends WaitFunctions {
  testbed: Testbed;
  /** The only source of random numbers in a trial: the same seed repeats them. */
  random: Random;
  /** Aborted on interruption and on timeout. */
  signal: AbortSignal;
  /** Prints progress to the terminal. */
  log(text: string): void;
}
