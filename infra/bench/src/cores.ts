import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

export interface Command {
  command: string;
  args: readonly string[];
}

const TASKSET = "taskset";
const CORES = availableParallelism();

/** Whether processes can be kept on cores of their own; else figures are only rough. */
export const CAN_PIN = CORES > 1 && spawnSync(TASKSET, ["--version"]).error === undefined;

/** What is measured has the first core to itself. */
export function onServerCore(program: Command): Command {
  return keptTo("0", program);
}

/** The load, Postgres and Redis share the others. */
export function onOtherCores(program: Command): Command {
  return keptTo(`1-${CORES - 1}`, program);
}

/** taskset becomes the program it starts: the pid is the program's own. */
function keptTo(cores: string, { command, args }: Command): Command {
  return CAN_PIN ? { command: TASKSET, args: ["-c", cores, command, ...args] } : { command, args };
}
