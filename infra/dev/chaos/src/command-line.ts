import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { ROWS } from "./cases/catalogue.ts";
import type { FaultCase } from "./fault-case.ts";

interface Wanted {
  rows: readonly FaultCase[];
  seed: number;
}

/** @throws PlainError saying what is wrong */
export function readCommandLine(args: string[]): Wanted {
  const { values, positionals: ids } = parse(args);
  const unknown = ids.filter((id) => !ROWS.some((row) => row.id === id));
  if (unknown.length > 0) {
    const known = ROWS.map(({ id }) => id).join(", ");
    throw new UserFacingError(`There is no row ${unknown.join(", ")}: choose among ${known}.`);
  }
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  if (!Number.isSafeInteger(seed)) throw new UserFacingError("--seed takes a whole number.");
  return { rows: ids.length === 0 ? ROWS : ROWS.filter(({ id }) => ids.includes(id)), seed };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { seed: { type: "string" } } });
  } catch (error) {
    throw new UserFacingError(error instanceof Error ? error.message : String(error));
  }
}
