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
