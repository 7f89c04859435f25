/**
 * Quotes a value as one argument of an nginx directive.
 * @throws Error for `$` and control characters, which cannot be escaped in nginx
 */
export function nginxArgument(value: string): string {
  if (/[$\p{Cc}]/u.test(value)) {
    throw new Error(`nginx cannot escape this value: ${JSON.stringify(value)}`);
  }
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}

/** Indents lines for the inside of a block and trims blank lines at both ends. */
export function indented(depth: number, lines: string): string {
  return lines
    .trim()
    .replace(/^(?=.)/gm, "  ".repeat(depth))
    .trimStart();
}
