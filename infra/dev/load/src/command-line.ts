import { UserFacingError } from "@tapthru/local/user-facing-error";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.ts";

export type Command = "report" | "seed" | ScenarioName;

const COMMANDS: readonly Command[] = [...SCENARIO_NAMES, "seed", "report"];

/** @throws UserFacingError with a usage message */
export function readCommand(args: readonly string[]): Command {
  const command = COMMANDS.find((known) => known === args[0]);
  if (command === undefined || args.length > 1) {
    throw new UserFacingError(`Usage: pnpm load ${COMMANDS.join(" | ")}`);
  }
  return command;
}
