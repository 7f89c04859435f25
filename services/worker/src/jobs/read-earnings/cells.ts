/** No date and no number is longer. Patterns that meet a cell may take time that grows with the square of its length. */
const CELL_MAX_LENGTH = 64;

/** Trimmed and in NFKC, which may make 18 characters of one; undefined if it is too long. */
export function normalizedCell(text: string): string | undefined {
  if (text.length > CELL_MAX_LENGTH) return undefined;
  const cell = text.normalize("NFKC").trim();
  return cell.length > CELL_MAX_LENGTH ? undefined : cell;
}
