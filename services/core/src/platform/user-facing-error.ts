import { EnvError } from "./config/env.ts";

/** An error whose message is complete for the user at the terminal. */
export class UserFacingError extends Error {
  override name = "UserFacingError";
}

/** Prints the message of an error for users, also that of `parseArgs`, and any other error with its stack. */
export function printError(error: unknown): void {
  const isOfOption = String(Object(error).code).startsWith("ERR_PARSE_ARGS_");
  const isUserFacing = isOfOption || error instanceof UserFacingError || error instanceof EnvError;
  console.error(isUserFacing ? Object(error).message : error);
}
