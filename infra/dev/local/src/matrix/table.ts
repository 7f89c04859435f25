import { replaceMarkedText } from "../replace-marked.ts";
import type { CommandName, Machine } from "./machines.ts";

export interface MatrixResult {
  machine: Machine;
  /** Date and commit of the test, such as "2026-07-31, `0123abc`". */
  testedAt: string;
  outcomes: Partial<Record<CommandName, string>>;
}

const HEAD = "| name | machine | `start` | `test` |\n|---|---|---|---|";
const NOT_TESTED = "not tested";

/**
 * The page with a line for each tested machine. Lines of other machines, and outcomes of commands that
 * were not tested this time, are kept.
 */
export function withResults(page: string, results: readonly MatrixResult[]): string {
  return replaceMarkedText(page, "pnpm matrix", (previous) => tableWith(results, previous));
}

function tableWith(results: readonly MatrixResult[], previous: string): string {
  const lines = new Map(
    previous.split("\n").flatMap((line) => {
      const [, name] = /^[|] (\S+) [|]/.exec(line) ?? [];
      return name === undefined || name === "name" ? [] : [[name, line] as const];
    }),
  );
  for (const result of results) {
    const { name } = result.machine;
    lines.set(name, lineOf(result, lines.get(name) ?? ""));
  }
  return [HEAD, ...lines.values()].join("\n");
}

function lineOf({ machine, testedAt, outcomes }: MatrixResult, previous: string): string {
  const [, , , start = NOT_TESTED, test = NOT_TESTED] = previous
    .split("|")
    .map((cell) => cell.trim());
  const withDate = (outcome: string | undefined, before: string) =>
    outcome === undefined ? before : `${outcome} (${testedAt})`;
  const cells = [
    machine.name,
    describe(machine),
    withDate(outcomes.start, start),
    withDate(outcomes.test, test),
  ];
  return `| ${cells.join(" | ")} |`;
}

function describe(machine: Machine): string {
  return [
    `Node ${machine.node}`,
    machine.user === "root" ? "root" : "ordinary user",
    machine.cores === 1 ? "1 core" : `${machine.cores} cores`,
    `\`${machine.path}\``,
    `${machine.fonts} set of fonts`,
    machine.isLocaleInstalled ? machine.locale : `${machine.locale} (not installed)`,
    machine.timeZone,
    machine.hasDocker ? "Docker" : "no Docker",
    ...(machine.arePortsInUse ? ["default ports in use"] : []),
  ].join(", ");
}
