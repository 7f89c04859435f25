/**
 * A value as one argument of an nginx directive.
 * @throws on `$` and control characters, which nginx knows no way to escape
 */
export function nginxArgument(value: string): string {
  if (/[$\p{Cc}]/u.test(value)) {
    throw new Error(`nginx cannot take this value: ${JSON.stringify(value)}`);
  }
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}

/** Lines for the inside of a block, without blank ones at their ends. */
export function indented(depth: number, lines: string): string {
  return lines
    .trim()
    .replace(/^(?=.)/gm, "  ".repeat(depth))
    .trimStart();
}
