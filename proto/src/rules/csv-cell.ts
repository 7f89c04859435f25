/**
 * Matches a cell that spreadsheets read as a formula (OWASP, CSV injection): the first visible character is = + - @, in its usual or its
 * full width, or the cell begins with a tab or a line break. Apostrophes before it count, because one is added below.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Default_Ignorable_Code_Point}]*[-=+@－＝＋＠])/u;

/** Text that spreadsheets do not read as a formula: an apostrophe is put before text that they would. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The exact inverse of `escapeFormula`. Text that it does not return is returned as it is. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
