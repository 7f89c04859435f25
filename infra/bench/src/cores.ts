import { CORES, type Command, keptTo } from "@tapthru/chaos/testbed/cores";

/** What is measured has the first core to itself. */
export function onServerCore(program: Command): Command {
  return keptTo("0", program);
}

/** The load, Postgres and Redis share the others. */
export function onOtherCores(program: Command): Command {
  return keptTo(`1-${CORES - 1}`, program);
}
