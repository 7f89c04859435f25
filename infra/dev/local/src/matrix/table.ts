import type { CommandName, Machine } from "./machines.ts";

export interface MatrixResult {
  machine: Machine;
  /** When, and which commit, as "2026-07-31, `0123abc`". */
  testedAt: string;
  outcomes: Partial<Record<CommandName, string>>;
}

const START = "<!-- pnpm matrix -->";
const END = "<!-- end of pnpm matrix -->";
const HEAD = "| row | machine | `start` | `test` |\n|---|---|---|---|";
const NOT_TRIED = "not tried";

/**
 * The page with a line for each row that was tried; lines of other rows, and outcomes of commands that
 * were not tried this time, stay.
 */
export function withResults(page: string, tried: readonly MatrixResult[]): string {
  const [before = "", rest = ""] = page.split(START);
  const [former = "", after = ""] = rest.split(END);
  const lines = new Map(
    former.split("\n").flatMap((line) => {
      const [, name] = /^[|] (\S+) [|]/.exec(line) ?? [];
      return name === undefined || name === "row" ? [] : [[name, line] as const];
    }),
  );
  for (const one of tried)
    lines.set(one.machine.name, lineOf(one, lines.get(one.machine.name) ?? ""));
  return `${before}${START}\n${HEAD}\n${[...lines.values()].join("\n")}\n${END}${after}`;
}

function lineOf({ machine, testedAt, outcomes }: MatrixResult, former: string): string {
  const [, , , start = NOT_TRIED, test = NOT_TRIED] = former.split("|").map((cell) => cell.trim());
  const dated = (outcome: string | undefined, before: string) =>
    outcome === undefined ? before : `${outcome} (${testedAt})`;
  const cells = [
    machine.name,
    describe(machine),
    dated(outcomes.start, start),
    dated(outcomes.test, test),
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
    ...(machine.arePortsTaken ? ["default ports taken"] : []),
  ].join(", ");
}
