import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { faultCases } from "./cases/catalogue.ts";
import type { FaultCase } from "./fault-case.ts";

interface CommandLine {
  /** In the order of their numbers; one that was named twice is there twice. */
  faultCases: readonly FaultCase[];
  seed: number;
}

/** @throws UserFacingError for invalid arguments */
export function readCommandLine(args: string[]): CommandLine {
  const { values, positionals: ids } = parse(args);
  const all = faultCases(
    values.visits === undefined ? undefined : positive("visits", values.visits),
  );
  const unknown = ids.filter((id) => !all.some((faultCase) => faultCase.id === id));
  if (unknown.length > 0) {
    const known = all.map(({ id }) => id).join(", ");
    throw new UserFacingError(`Unknown fault case ${unknown.join(", ")}. Known: ${known}.`);
  }
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  if (!Number.isSafeInteger(seed)) throw new UserFacingError("--seed must be an integer.");
  const named = all.flatMap((one) => ids.filter((id) => id === one.id).map(() => one));
  return { faultCases: ids.length === 0 ? all : named, seed };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UserFacingError(`--${name} must be a positive integer.`);
}

function parse(args: string[]) {
  try {
    const options = { seed: { type: "string" }, visits: { type: "string" } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UserFacingError(error instanceof Error ? error.message : String(error));
  }
}
