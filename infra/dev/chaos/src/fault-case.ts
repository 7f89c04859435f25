import type { CheckResult } from "./check-result.ts";
import type { Random } from "./random.ts";
import type { Testbed } from "./testbed/testbed.ts";

/** A row of the table of faults: something that is done to the stack, and what must hold then. */
export interface FaultCase {
  /** Its number in the table. */
  id: `R${number}`;
  title: string;
  mustHold: string;
  /** What is done to the stack. */
  done: string;
  /** A trial that takes longer is broken off. */
  withinMs: number;
  run(trial: Trial): Promise<CheckResult[]>;
}

export interface Trial {
  testbed: Testbed;
  /** Every instant and choice left to chance comes from here, so that a trial can be repeated. */
  random: Random;
  /** Aborted when the trial is broken off. */
  signal: AbortSignal;
  /** Tells the person at the terminal how far it is. */
  say(text: string): void;
}
