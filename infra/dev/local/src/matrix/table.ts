import type { CommandName, Row } from "./rows.ts";

export interface Tried {
  row: Row;
  /** When, and which commit, as "2026-07-31, `0123abc`". */
  occasion: string;
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
export function withResults(page: string, tried: readonly Tried[]): string {
  const [before = "", rest = ""] = page.split(START);
  const [former = "", after = ""] = rest.split(END);
  const lines = new Map(
    former.split("\n").flatMap((line) => {
      const [, name] = /^[|] (\S+) [|]/.exec(line) ?? [];
      return name === undefined || name === "row" ? [] : [[name, line] as const];
    }),
  );
  for (const one of tried) lines.set(one.row.name, lineOf(one, lines.get(one.row.name) ?? ""));
  return `${before}${START}\n${HEAD}\n${[...lines.values()].join("\n")}\n${END}${after}`;
}

function lineOf({ row, occasion, outcomes }: Tried, former: string): string {
  const [, , , start = NOT_TRIED, test = NOT_TRIED] = former.split("|").map((cell) => cell.trim());
  const dated = (outcome: string | undefined, before: string) =>
    outcome === undefined ? before : `${outcome} (${occasion})`;
  const cells = [row.name, describe(row), dated(outcomes.start, start), dated(outcomes.test, test)];
  return `| ${cells.join(" | ")} |`;
}

function describe(row: Row): string {
  return [
    `Node ${row.node}`,
    row.user === "root" ? "root" : "ordinary user",
    row.cores === 1 ? "1 core" : `${row.cores} cores`,
    `\`${row.path}\``,
    `${row.fonts} set of fonts`,
    row.isLocaleInstalled ? row.locale : `${row.locale} (not installed)`,
    row.timeZone,
    row.hasDocker ? "Docker" : "no Docker",
    ...(row.arePortsTaken ? ["default ports taken"] : []),
  ].join(", ");
}
