const FIELDS =
  "input:not([type=radio], [type=checkbox], [type=hidden]), textarea, [contenteditable]";

/** Whether a reload would lose input, a dialog or a toast, or fail because the browser is offline. */
export function isInUse(): boolean {
  return (
    [...document.querySelectorAll<HTMLElement>(FIELDS)].some(isTypedInto) ||
    document.querySelector("dialog[open], .toast") !== null ||
    !navigator.onLine
  );
}

function isTypedInto(field: HTMLElement): boolean {
  const isTyping = field === document.activeElement && document.hasFocus();
  const text = "value" in field ? field.value : field.textContent;
  return isTyping || text !== "";
}
