import { resolve } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const USAGE = `Say what to do:
  pnpm ops backup <folder>     writes what Postgres holds into a new folder
  pnpm ops restore <folder>    brings that into an empty database`;

export interface Command {
  verb: "backup" | "restore";
  /** Absolute. */
  folder: string;
}

/** @throws PlainError saying what can be done */
export function readCommand([verb, folder, ...rest]: readonly string[]): Command {
  const isKnown = verb === "backup" || verb === "restore";
  if (!isKnown || folder === undefined || rest.length > 0) throw new UserFacingError(USAGE);
  return { verb, folder: resolve(folder) };
}
