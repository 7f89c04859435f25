import { EnvError } from "./config/env.ts";

/** An error whose message is complete for the user at the terminal. */
export class UserFacingError extends Error {
  override name = "UserFacingError";
}

/** Prints the message of an error for users, and any other error with its stack. */
export function printError(error: unknown): void {
  const isUserFacing = error instanceof UserFacingError || error instanceof EnvError;
  console.error(isUserFacing ? error.message : error);
}
