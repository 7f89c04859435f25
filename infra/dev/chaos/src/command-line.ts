import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { FAULT_CASES } from "./cases/catalogue.ts";
import type { FaultCase } from "./fault-case.ts";

interface CommandLine {
  faultCases: readonly FaultCase[];
  seed: number;
}

/** @throws UserFacingError for invalid arguments */
export function readCommandLine(args: string[]): CommandLine {
  const { values, positionals: ids } = parse(args);
  const unknown = ids.filter((id) => !FAULT_CASES.some((faultCase) => faultCase.id === id));
  if (unknown.length > 0) {
    const known = FAULT_CASES.map(({ id }) => id).join(", ");
    throw new UserFacingError(`Unknown fault case ${unknown.join(", ")}. Known: ${known}.`);
  }
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  if (!Number.isSafeInteger(seed)) throw new UserFacingError("--seed must be an integer.");
  return {
    faultCases: ids.length === 0 ? FAULT_CASES : FAULT_CASES.filter(({ id }) => ids.includes(id)),
    seed,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { seed: { type: "string" } } });
  } catch (error) {
    throw new UserFacingError(error instanceof Error ? error.message : String(error));
  }
}
