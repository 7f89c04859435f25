/** Rejects if the browser refuses. Over plain http, except on localhost, there is no Clipboard API. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  copyBySelection(text);
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const textarea = document.createElement("textarea");
  textarea.value = text;
  textarea.readOnly = true;
  textarea.className = "sr-only";
  document.body.append(textarea);
  textarea.focus({ preventScroll: true });
  textarea.select();
  const copied = document.execCommand("copy");
  textarea.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!copied) throw new Error("The browser refused to copy");
}
