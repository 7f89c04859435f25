import { EnvError } from "@tapthru/runtime/env";

/** An error whose message is written for the person at the terminal. */
export class PlainError extends Error {
  override name = "PlainError";
}

/** Prints what is written for people without a stack, and any other error with it. */
export function printError(error: unknown): void {
  const isPlain = error instanceof PlainError || error instanceof EnvError;
  console.error(isPlain ? error.message : error);
}
