import { stripVTControlCharacters } from "node:util";

const ERROR_LINE = /^\s*(?:\w*Error|error|✗|✘)(?: \[\w+\])?:\s*(.+)/i;

/** The first error that a program printed, else its last line. */
export function firstError(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const errors = lines.flatMap((line) => ERROR_LINE.exec(line)?.[1] ?? []);
  return errors[0] ?? lines.at(-1) ?? "It printed nothing.";
}

/** The first line of an error's message. */
export function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = stripVTControlCharacters(message).trim().split("\n", 1);
  return line.replace(/^Error: /, "");
}

/** Removes the lines of a stack trace that are in libraries. */
export function withoutLibraries(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => !/^ +at .*(node_modules|node:internal)/.test(line))
    .join("\n");
}
