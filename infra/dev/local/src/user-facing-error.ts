import { EnvError } from "@tapthru/runtime/config/env";

/** An error whose message is written for the person at the terminal. */
export class UserFacingError extends Error {
  override name = "PlainError";
}

/** Prints what is written for people without a stack, and any other error with it. */
export function printError(error: unknown): void {
  const isPlain = error instanceof UserFacingError || error instanceof EnvError;
  console.error(isPlain ? error.message : error);
}
