import { resolve } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const USAGE = `Usage:
  pnpm ops backup <folder>     writes a backup of Postgres into a new folder
  pnpm ops restore <folder>    restores it into an empty database`;

export interface Command {
  action: "backup" | "restore";
  /** Absolute path. */
  folder: string;
}

/** @throws UserFacingError with the usage */
export function readCommand([action, folder, ...rest]: readonly string[]): Command {
  const isKnown = action === "backup" || action === "restore";
  if (!isKnown || folder === undefined || rest.length > 0) throw new UserFacingError(USAGE);
  return { action, folder: resolve(folder) };
}
