import { EnvError } from "./config/env.ts";

export class UserFacingError extends Error {
  override name = "UserFacingError";
}

export function printError(error: unknown): void {
  const isOfOption = String(Object(error).code).startsWith("ERR_PARSE_ARGS_");
  const isUserFacing = isOfOption || error instanceof UserFacingError || error instanceof EnvError;
  console.error(isUserFacing ? Object(error).message : error);
}
