import { escapeFormula } from "@tapthru/proto/rules/csv-cell";

/** Safari reads the file only after the click. */
const REVOKE_DELAY_MS = 40_000;

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}

/** The parameter of CSV where the browser's numbers have decimal commas, so that spreadsheets expect semicolons. */
export function csvSeparator(): { separator?: ";" } {
  return (0.5).toLocaleString().includes(",") ? { separator: ";" } : {};
}

/** Saves a table that spreadsheets of this browser's language read. */
export function saveCsv(rows: readonly (readonly string[])[], name: string): void {
  const { separator = "," } = csvSeparator();
  const quoted = (cell: string) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((cells) => `${cells.map((cell) => quoted(escapeFormula(cell))).join(separator)}\r\n`);
  saveFile(new Blob(["\ufeff", ...lines], { type: "text/csv" }), name);
}
