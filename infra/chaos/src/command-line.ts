import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { PlainError } from "@tapthru/local/plain-error";
import type { Row } from "./row.ts";
import { ROWS } from "./rows/catalogue.ts";

interface Wanted {
  rows: readonly Row[];
  seed: number;
}

/** @throws PlainError saying what is wrong */
export function readCommandLine(args: string[]): Wanted {
  const { values, positionals: ids } = parse(args);
  const unknown = ids.filter((id) => !ROWS.some((row) => row.id === id));
  if (unknown.length > 0) {
    const known = ROWS.map(({ id }) => id).join(", ");
    throw new PlainError(`There is no row ${unknown.join(", ")}: choose among ${known}.`);
  }
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  if (!Number.isSafeInteger(seed)) throw new PlainError("--seed takes a whole number.");
  return { rows: ids.length === 0 ? ROWS : ROWS.filter(({ id }) => ids.includes(id)), seed };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { seed: { type: "string" } } });
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : String(error));
  }
}
