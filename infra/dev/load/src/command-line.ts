import { UserFacingError } from "@tapthru/local/user-facing-error";
import {
  linksOf,
  SCENARIO_NAMES,
  type ScenarioName,
  type ScenarioParameters,
} from "./scenarios.ts";

export type Command = "report" | "seed" | ScenarioName;

const COMMANDS: readonly Command[] = [...SCENARIO_NAMES, "seed", "report"];
const MAX_LINKS = 10 ** 6;

/** @throws UserFacingError with a usage message */
export function readCommand(args: readonly string[]): Command {
  const command = COMMANDS.find((known) => known === args[0]);
  if (command === undefined || args.length > 1) {
    throw new UserFacingError(`Usage: pnpm load ${COMMANDS.join(" | ")}`);
  }
  return command;
}

/** @throws UserFacingError unless LINKS is a number of links that can be inserted */
export function readLinks(parameters: ScenarioParameters): number {
  const links = linksOf(parameters);
  if (Number.isInteger(links) && links >= 1 && links <= MAX_LINKS) return links;
  throw new UserFacingError("LINKS must be an integer from 1 to 1000000.");
}
